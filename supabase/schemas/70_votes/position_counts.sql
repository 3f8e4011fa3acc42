create type app.position_counts as (
  strong_left_count bigint,
  left_count bigint,
  neutral_count bigint,
  right_count bigint,
  strong_right_count bigint
);
comment on type app.position_counts is 'The votes of a pool by position.';
