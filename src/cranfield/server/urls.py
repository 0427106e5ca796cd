"""All addresses of the server. The test of roles and routes goes over this list."""

from __future__ import annotations

from django.contrib.auth import views as accounts
from django.urls import URLPattern, URLResolver, path, register_converter

from cranfield.server.annotation import views as annotation
from cranfield.server.api import endpoints
from cranfield.server.campaigns import views as campaigns
from cranfield.server.operation import views as operation
from cranfield.server.people import passwords, roles
from cranfield.server.people import views as people
from cranfield.server.results import analysis_pages as analyses
from cranfield.server.results import permanent
from cranfield.server.results import views as results
from cranfield.server.results.exports import FileForm
from cranfield.server.submissions import views as submissions

_LOGIN = accounts.LoginView.as_view(
    template_name="form.html", extra_context={"title": "Log in", "button": "Log in"}
)
_BOARD = "results/<slug:track>/<slug:phase>/<int:edition>"
"""What is published once stays here; tests hold the address."""
_TABLE = "<slug:table>.<form:form>"
register_converter(FileForm, "form")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", results.home, name="home"),
    path("register/", people.register, name="register"),
    path("login/", _LOGIN, name="login"),
    path("login/forgotten/", passwords.forgotten, name="forgotten"),
    path("logout/", accounts.LogoutView.as_view(), name="logout"),
    path("welcome/<str:secret>/", people.welcome, name="welcome"),
    path("invited/<str:secret>/", people.invited, name="invited"),
    path("account/", people.account, name="account"),
    path("account/agree/", people.agree, name="agree"),
    path("account/tokens/organiser/", roles.organiser_token, name="organiser-token"),
    path("account/tokens/<int:id>/revoke/", people.revoke_token, name="revoke-token"),
    path("groups/new/", people.new_group, name="new-group"),
    path("groups/<int:id>/", people.group, name="group"),
    path("groups/<int:id>/invite/", people.invite, name="invite"),
    path("groups/<int:id>/leave/", people.leave, name="leave"),
    path("groups/<int:id>/tokens/new/", people.new_token, name="new-token"),
    path("groups/<int:id>/enter/<slug:track>/", people.enter, name="enter"),
    path("tracks/<slug:track>/", results.track, name="track"),
    path("tracks/<slug:track>/board.<form:form>", permanent.board_file, name="present-board-file"),
    path("tracks/<slug:track>/downloads/<str:name>", results.download, name="download"),
    path("tracks/<slug:track>/changes/", campaigns.changes, name="changes"),
    path("tracks/<slug:track>/submit/", submissions.submission, name="submit"),
    path("runs/<int:id>/", results.run, name="run"),
    path("runs/<int:id>/retract/", submissions.retraction, name="retract"),
    path(f"{_BOARD}/", permanent.board, name="board"),
    path(f"{_BOARD}/board.<form:form>", permanent.board_file, name="board-file"),
    path(f"{_BOARD}/<int:id>/", permanent.record, name="record"),
    path(f"{_BOARD}/<int:id>/record.<form:form>", permanent.record_file, name="record-file"),
    path(f"{_BOARD}/analyses/<slug:kind>/", analyses.board_analysis, name="analysis"),
    path(
        f"{_BOARD}/analyses/<slug:kind>/{_TABLE}",
        analyses.board_analysis_file,
        name="analysis-file",
    ),
    path(f"{_BOARD}/<int:id>/report/", analyses.report, name="report"),
    path(f"{_BOARD}/<int:id>/report/{_TABLE}", analyses.report_file, name="report-file"),
    path(f"{_BOARD}/<int:id>/against/<int:other>/", analyses.report, name="comparison"),
    path(
        f"{_BOARD}/<int:id>/against/<int:other>/{_TABLE}",
        analyses.report_file,
        name="comparison-file",
    ),
    path("runs/<int:id>/compare/", analyses.compare, name="compare"),
    path("annotate/", annotation.jobs, name="annotate"),
    path("annotate/<slug:track>/<slug:job>/", annotation.work, name="annotation-work"),
    path("sheets/<int:id>/", annotation.sheet, name="sheet"),
    path("tasks/<int:id>/image/", annotation.image, name="item-image"),
    path("api/openapi.json", endpoints.documentation, name="openapi"),
    path("api/", endpoints.api.urls),
    path("organise/", campaigns.organise, name="organise"),
    path("organise/log/", campaigns.log, name="log"),
    path("organise/tracks/<slug:track>/correct/", campaigns.correction, name="correct"),
    path("organise/runs/<int:id>/<slug:ruling>/", campaigns.ruling, name="ruling"),
    path("organise/jobs/<int:id>/requeue/", campaigns.requeue, name="requeue"),
    path("organise/people/invite/", roles.invite_person, name="invite-person"),
    path("organise/people/<int:id>/roles/", roles.roles, name="roles"),
    path("organise/people/<int:id>/reset/", campaigns.reset, name="reset"),
    path("organise/people/<int:id>/annotator/", annotation.appoint, name="annotator"),
    path("organise/annotation/<int:id>/", annotation.progress, name="annotation-progress"),
    path("organise/annotation/<int:id>/pause/", annotation.pause, name="annotation-pause"),
    path("organise/annotation/<int:id>/votes.csv", annotation.votes_file, name="votes-file"),
    path("organise/sheets/<int:id>/exclude/", annotation.exclusion, name="exclude"),
    path("health/", operation.health, name="health"),
    path("metrics/", operation.metrics, name="metrics"),
]
