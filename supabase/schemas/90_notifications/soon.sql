create function app.soon(p_attempt_count integer)
returns interval
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return least(interval '2 seconds' * 3 ^ least(p_attempt_count, 10), interval '15 minutes') * (0.75 + random() / 2);
end
$$;
comment on function app.soon(integer) is 'How long something that is to be told rests after so many tries that failed: about two seconds, three times as long each time, about a quarter of an hour at most, and never quite the same.';

revoke all on function app.soon(integer) from public;
