create function app.slot_generation()
returns smallint
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (floor(extract(epoch from app.now()) / 30) % 2)::smallint;
end
$$;
comment on function app.slot_generation() is 'Into which half of app.vote_slots votes count now: the other one every half minute, which is longer than a turn of the worker takes. The one that rests is folded.';

revoke all on function app.slot_generation() from public;
