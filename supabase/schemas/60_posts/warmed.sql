create function app.warmed(p_at timestamptz, p_weight double precision)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_half_life constant double precision := 12 * 60 * 60;
  v_act timestamptz := app.now() + make_interval(secs => v_half_life * ln(p_weight) / ln(2));
  -- What is sixty half-lives behind adds nothing, and 2 to that power is still a number.
  v_gap double precision := least(abs(extract(epoch from p_at - v_act)) / v_half_life, 60);
begin
  return greatest(p_at, v_act) + make_interval(secs => v_half_life * ln(1 + power(2, -v_gap)) / ln(2));
end
$$;
comment on function app.warmed(timestamptz, double precision) is 'trending_at after something of p_weight was done now. It says how warm a post is as the time at which one act of weight 1 alone would have made it so warm: all cool by half in twelve hours, so that their order stays as it is while nothing is done. See docs/decisions/012-trending.md.';

revoke all on function app.warmed(timestamptz, double precision) from public;
