select plan(13);

select tests.person('maya', 3);

create function pg_temp.write(p_column text, p_value text)
returns text
language sql
return tests.violation_of(format('insert into app.articles (author_id, %I) values (tests.id(%L), %L)', p_column, 'maya', p_value));

select is(pg_temp.write('title', null), 'articles_have_content', 'an article says something');
select is(pg_temp.write('url', 'javascript:alert(1)'), 'articles_url_is_web', 'a link leads into the web');
select is(pg_temp.write('url', E'javascript://\nhttps://example.com'), 'articles_url_is_web', 'from its first character');
select is(pg_temp.write('url', 'https://example.com/' || repeat('a', 1981)), 'articles_url_length', 'a link has 2000 characters at most');
select is(pg_temp.write('title', ''), 'articles_title_length', 'an empty title is none');
select is(pg_temp.write('title', repeat('é', 301)), 'articles_title_length', 'a title has 300 at most');
select is(pg_temp.write('body', ''), 'articles_body_length', 'an empty text is none');
select is(pg_temp.write('body', repeat('é', 10001)), 'articles_body_length', 'a text has 10000 at most');
select is(pg_temp.write('url', 'HTTPS://example.com'), null, 'a scheme may be in capitals');
select is(pg_temp.write('body', repeat('é', 10000)), null, 'characters count, not bytes');
select is(pg_temp.write('body', 'a'), null, 'one is enough');
select is(pg_temp.write('title', 'a'), null, 'for a title as well');
select is(
  tests.violation_of($$ insert into app.articles (author_id, media_count) values (tests.id('maya'), 1) $$), null, 'a picture says something'
);

select * from finish();
