-- Returns the limit of what the caller does: whose it is, how many uses it has, and within which time.
--
-- A guest is limited by address, where the service knows it; without a subject there is no limit. An account
-- has a share of a limit in its first day.
create function app.own_limit(p_kind text, out subject text, out uses integer, out period interval) returns record
language plpgsql stable set search_path = '' as $$
declare
  v_user_id uuid := app.user_id();
  v_limits jsonb := nullif(current_setting('opine.limits', true), '')::jsonb;
begin
  subject := coalesce(v_user_id::text, v_limits ->> 'addressHash');
  uses := coalesce(
    (v_limits ->> p_kind)::integer, app.usage_limit(p_kind) * coalesce((v_limits ->> 'factor')::integer, 1)
  );
  period := case when p_kind in ('hubs', 'reports', 'joinRequests') then interval '1 day' else interval '1 hour' end;
  if exists (select from app.users as u where u.id = v_user_id and u.created_at > app.now() - interval '24 hours') then
    uses := greatest(1, floor(uses * coalesce((v_limits ->> 'newAccountShare')::numeric, 0.25)))::integer;
  end if;
end
$$;
comment on function app.own_limit is
  'Returns the limit of the caller for a kind of app.usage_limit (docs/product.md A1, A2).';

-- Counts uses of the caller.
--
-- An operation calls it after its write and last, so that what changed nothing costs nothing and nobody waits
-- for the row of the limit; a search calls it first, because its work is what is limited.
create function app.use_limit(p_kind text, p_uses integer default 1) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_limit record := app.own_limit(p_kind);
  v_opens_at timestamptz;
begin
  for use in 1 .. p_uses loop
    v_opens_at := app.consume_rate_limit(
      p_kind, v_limit.subject, v_limit.uses, v_limit.period,
      -- Nothing dates a vote more exactly than its receipt (docs/vote-secrecy.md).
      case when p_kind = 'votes' then interval '1 minute' else interval '1 microsecond' end
    );
    if v_opens_at is not null then
      perform app.refuse_until(v_opens_at);
    end if;
  end loop;
end
$$;
comment on function app.use_limit is 'Counts uses of the caller, or raises RATE_LIMITED (docs/product.md A1, A2).';
grant execute on function app.use_limit to anon, authenticated;

-- Refuses a caller whose limit is used up, before the work that a text costs; app.use_limit counts the use
-- afterwards.
create function app.check_limit(p_kind text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_limit record := app.own_limit(p_kind);
begin
  perform app.refuse_until(app.rate_limit_opens_at(p_kind, v_limit.subject, v_limit.uses, v_limit.period));
end
$$;
comment on function app.check_limit is 'Raises RATE_LIMITED if the caller has no use left (docs/product.md A1).';
grant execute on function app.check_limit to authenticated;
