create function app.slot_generation()
returns smallint
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return floor(extract(epoch from app.now()) / 20) % 2;
end
$$;
comment on function app.slot_generation() is 'Into which half of app.vote_slots votes count now: the other one for every twenty seconds, in which the fold comes at least once.';

revoke all on function app.slot_generation() from public;
