-- Matches that the same phone alone made, at any distance, cannot be checked: nothing of Google is kept. They are made again, where they hold.
delete from app.open_matches where reason = 'phone';
