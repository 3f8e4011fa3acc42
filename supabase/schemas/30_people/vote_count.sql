create function app.vote_count(p_user_id uuid)
returns bigint
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_lag interval := interval '30 minutes';
  v_until timestamptz := case
    when p_user_id = app.user_id() then 'infinity'
    else date_bin(v_lag, app.now() - v_lag, timestamptz 'epoch')
  end;
begin
  return (select count(*) from app.vote_receipts as r where r.user_id = p_user_id and r.voted_at < v_until);
end
$$;
comment on function app.vote_count(uuid) is 'How many votes somebody has cast. Others than they learn of a vote at least half an hour later, together with all votes of that half hour: whoever watched this number and the results of a post at once could else tell who voted how.';

revoke all on function app.vote_count(uuid) from public;
grant execute on function app.vote_count(uuid) to anon, authenticated;
