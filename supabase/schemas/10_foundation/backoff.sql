create function app.backoff(p_attempt_count integer)
returns interval
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return least(interval '1 minute' * 2 ^ least(p_attempt_count, 10), interval '1 hour') * (0.75 + random() / 2);
end
$$;
comment on function app.backoff(integer) is 'How long the worker keeps to itself what it takes after so many tries that failed: about a minute, twice as long each time, about an hour at most, and never quite the same.';

revoke all on function app.backoff(integer) from public;
