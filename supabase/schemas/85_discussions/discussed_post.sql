create type app.discussed_post as (
  discussion_id uuid, author_id uuid, thought_text text, slider_text text, article_title text, is_saved boolean
);
comment on type app.discussed_post is 'What a discussion is about, and whether the caller has saved it.';
