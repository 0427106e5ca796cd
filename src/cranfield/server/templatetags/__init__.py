"""What templates call besides Django's own tags."""
