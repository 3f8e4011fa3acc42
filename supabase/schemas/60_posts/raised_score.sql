create function app.raised_score(p_score timestamptz, p_weight double precision)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_half_life constant double precision := (12 * 60 * 60)::double precision;
  v_activity timestamptz := app.now() + make_interval(secs => v_half_life * ln(p_weight) / ln(2));
  -- Sixty half-lives behind, a score adds nothing; the bound keeps the power within range.
  v_gap double precision := least(abs(extract(epoch from p_score - v_activity)) / v_half_life, 60)::double precision;
begin
  if p_score is null then
    return v_activity;
  end if;
  return greatest(p_score, v_activity) + make_interval(secs => v_half_life * ln(1 + power(2, -v_gap)) / ln(2));
end
$$;
comment on function app.raised_score(timestamptz, double precision) is 'Adds activity to a trending score. All scores decay by half in twelve hours, so their order stays until the next activity. Args: the score, null for none; the weight of the activity, which is now. Returns the new score.';

revoke all on function app.raised_score(timestamptz, double precision) from public;
