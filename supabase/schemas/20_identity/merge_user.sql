create function app.merge_user(p_from uuid, p_into uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  update app.vote_receipts as r
  set user_id = p_into
  where r.user_id = p_from
    and not exists (select from app.vote_receipts as own where own.post_id = r.post_id and own.user_id = p_into);
  delete from app.vote_receipts where user_id = p_from;
  perform app.end_user(p_from);
end
$$;
comment on function app.merge_user(uuid, uuid) is 'Moves what the phoneless account p_from did to p_into and ends p_from (contract.md 3, "Merge"). A post that both voted on keeps one receipt; pools are not touched.';

revoke all on function app.merge_user(uuid, uuid) from public;
