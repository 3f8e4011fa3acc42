create function app.total_of(p_counts app.position_counts)
returns bigint
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return coalesce(
    p_counts.strong_left_count + p_counts.left_count + p_counts.neutral_count
      + p_counts.right_count + p_counts.strong_right_count,
    0
  );
end
$$;
comment on function app.total_of(app.position_counts) is 'The votes of a pool altogether; of a null row none.';

revoke all on function app.total_of(app.position_counts) from public;
grant execute on function app.total_of(app.position_counts) to anon, authenticated;
