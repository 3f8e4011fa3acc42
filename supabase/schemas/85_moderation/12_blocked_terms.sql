create table staff.blocked_terms (
  term text primary key,
  query tsquery not null generated always as (app.phrase_of(term)) stored,
  words tsquery not null generated always as (app.in_any_order(app.phrase_of(term))) stored,
  added_at timestamptz not null default app.now(),
  constraint blocked_terms_term_length check (char_length(term) between 1 and 100)
);
comment on table staff.blocked_terms is
  'One row per word or phrase that opens a report by the service where somebody writes it (docs/product.md S24).';
comment on column staff.blocked_terms.query is
  'The term as texts are compared with it: whole words, in any case and with any accents.';
comment on column staff.blocked_terms.words is
  'The words of the term in any order. They cost a tenth of the phrase, and rule out most terms of a long list.';
alter table staff.blocked_terms enable row level security;
grant select on staff.blocked_terms to staff_moderator;

-- Texts that exist already are not searched.
--
-- Errors: VALIDATION_FAILED (no word), REASON_MISSING.
create function staff.add_blocked_term(p_term text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if char_length(btrim(p_term)) > 100 or app.has_too_many_marks(p_term)
    -- One character may stand for eighteen, and a row has at most 8 kB for its query.
    or coalesce(char_length(app.search_key(p_term)), 0) not between 1 and 100
  then
    perform app.refuse_argument('{term}', 'invalid_value', 'Must have a word, and at most 100 characters.');
  end if;
  insert into staff.blocked_terms (term) values (lower(btrim(p_term))) on conflict do nothing;
  perform staff.record('add_blocked_term', p_reason, jsonb_build_object('term', lower(btrim(p_term))));
end
$$;
comment on function staff.add_blocked_term is 'Adds a word or phrase to the blocked terms.';
grant execute on function staff.add_blocked_term to staff_moderator;

-- Errors: TERM_NOT_FOUND, REASON_MISSING.
create function staff.remove_blocked_term(p_term text, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from staff.blocked_terms as t where t.term = lower(btrim(p_term));
  if not found then
    raise exception using errcode = 'PT404', message = 'TERM_NOT_FOUND';
  end if;
  perform staff.record('remove_blocked_term', p_reason, jsonb_build_object('term', lower(btrim(p_term))));
end
$$;
comment on function staff.remove_blocked_term is 'Removes a word or phrase from the blocked terms.';
grant execute on function staff.remove_blocked_term to staff_moderator;

-- Lists staff.blocked_terms.
--
-- Args: none. Returns items.
create function api.list_blocked_terms(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
    'term', t.term, 'addedAt', app.iso(t.added_at)
  ) order by t.term), '[]'))
  from staff.blocked_terms as t;
end;
comment on function api.list_blocked_terms is 'GET /admin/blocked-terms (docs/product.md S24).';
grant execute on function api.list_blocked_terms to staff_moderator;

-- Runs staff.add_blocked_term.
--
-- Args: term, reason. Returns {}.
create function api.add_blocked_term(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.add_blocked_term($1 ->> 'term', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.add_blocked_term is 'POST /admin/blocked-terms/add (docs/product.md S24).';
grant execute on function api.add_blocked_term to staff_moderator;

-- Runs staff.remove_blocked_term.
--
-- Args: term, reason. Returns {}.
create function api.remove_blocked_term(jsonb) returns jsonb
language sql set search_path = ''
begin atomic
  select staff.remove_blocked_term($1 ->> 'term', $1 ->> 'reason');
  select '{}'::jsonb;
end;
comment on function api.remove_blocked_term is 'POST /admin/blocked-terms/remove (docs/product.md S24).';
grant execute on function api.remove_blocked_term to staff_moderator;

-- Opens a report by the service of a text that holds a blocked term; one is enough while it is open.
--
-- Args: the kind of the target, and the columns of its texts. The article of a post counts with it: address,
-- texts, and the alt texts and names of its files.
create function staff.report_blocked_terms() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row jsonb := to_jsonb(new);
  v_former jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
  v_kind app.target_kind := tg_argv[0]::app.target_kind;
  v_id uuid := coalesce(v_row ->> 'id', v_row ->> 'user_id')::uuid;
begin
  -- Most services have no list. A request of staff has no user id: staff has judged what it restores.
  if app.user_id() is null or not exists (select from staff.blocked_terms) then
    return null;
  end if;
  if staff.holds_blocked_term(array(
    -- Unchanged columns were checked when they were written.
    select v_row ->> columns.name
    from unnest(tg_argv[1:]) as columns (name)
    where v_row ->> columns.name is distinct from v_former ->> columns.name
    union all
    select part.text
    from app.articles as a
    cross join unnest(array[a.url, a.title, a.body]) as part (text)
    where a.id = (v_row ->> 'article_id')::uuid
    union all
    select part.text
    from app.article_assets as m
    join app.assets as file on file.id = m.asset_id
    cross join unnest(array[m.alt_text, file.file_name]) as part (text)
    where m.article_id = (v_row ->> 'article_id')::uuid
  )) then
    insert into app.reports (user_id, post_id, comment_id, message_id, hub_id, reason, is_by_service)
    values (
      case when v_kind = 'user' then v_id end, case when v_kind = 'post' then v_id end, case when v_kind = 'comment'
        then v_id end,
      case when v_kind = 'message' then v_id end, case when v_kind = 'hub' then v_id end, 'other', true
    )
    on conflict (target_id) where state = 'open' and is_by_service do nothing;
  end if;
  return null;
end
$$;
comment on function staff.report_blocked_terms is
  'Trigger: reports a text that holds a blocked term (docs/product.md S24).';

create function staff.holds_blocked_term(p_texts text[]) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  v_text text;
  v_words tsvector := ''::tsvector;
begin
  foreach v_text in array p_texts loop
    -- No word is an apostrophe, so no phrase goes on from one text into the next.
    v_words := tsvector_concat(tsvector_concat(v_words, '''ʼ'':1'), app.word_vector(coalesce(v_text, '')));
  end loop;
  return exists (
    select
    from staff.blocked_terms as t
    where case when ts_match_vq(v_words, t.words) then ts_match_vq(v_words, t.query) end
  );
end
$$;
comment on function staff.holds_blocked_term is
  'Returns whether one of the texts holds a blocked term (docs/product.md S24).';

create trigger posts_report_terms_after_insert after insert on app.posts
for each row execute function staff.report_blocked_terms(
  'post', 'thought_text', 'slider_text', 'left_label', 'right_label'
);

create trigger comments_report_terms_after_insert after insert on app.comments
for each row when (new.author_id is not null)
execute function staff.report_blocked_terms('comment', 'body', 'alt_text');

create trigger messages_report_terms_after_insert after insert on app.messages
for each row when (new.author_id is not null)
execute function staff.report_blocked_terms('message', 'body', 'alt_text');

create trigger profiles_report_terms_after_write after insert or update of username, full_name, bio on app.profiles
for each row execute function staff.report_blocked_terms('user', 'username', 'full_name', 'bio');

create trigger hub_profiles_report_terms_after_write after insert or update of display_name on app.hub_profiles
for each row execute function staff.report_blocked_terms('user', 'display_name');

create trigger hubs_report_terms_after_write after insert or update of name, description, custom_link on app.hubs
for each row execute function staff.report_blocked_terms('hub', 'name', 'description', 'custom_link');
