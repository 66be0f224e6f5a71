-- What websites said was read under rules that took too much: sites are visited again, which costs nothing.
delete from app.website_answers;
