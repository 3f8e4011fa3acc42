-- Symbols that stand for letters or digits end words now: texts that have some get their words anew.
set local lock_timeout = '5s';
set local statement_timeout = '60s';

update app.profiles set full_name = full_name where full_name ~ '[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u20a8\u2100-\u215f\u2189\u2460-\u24ea\u3192-\u33ff\ufdfc\U0001ccd6-\U0001f251]';
update app.hubs set name = name where name ~ '[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u20a8\u2100-\u215f\u2189\u2460-\u24ea\u3192-\u33ff\ufdfc\U0001ccd6-\U0001f251]';
update app.post_words as w set words = app.word_vector(t.text)
from (
  select p.id, concat_ws(E'\n', p.thought_text, p.slider_text, a.title, a.body) as text
  from app.posts as p
  left join app.articles as a on a.id = p.article_id
) as t
where w.post_id = t.id and t.text ~ '[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u20a8\u2100-\u215f\u2189\u2460-\u24ea\u3192-\u33ff\ufdfc\U0001ccd6-\U0001f251]';
