-- Splits app.vote_receipts into sixteen partitions by post: reads of receipts and the rewrite of the fold are by post.
-- Run it once as the owner, without the pooler, while no process of Opine runs (docs/operations.md, decision 021).
begin;
set local lock_timeout = '5s';
-- Take all locks of this script first: a conflict with another session then fails here and not after hours of copying.
lock table app.posts, app.users, app.vote_receipts in access exclusive mode;

create table app.vote_receipts_parted (like app.vote_receipts including defaults including constraints including comments)
partition by hash (post_id);

do $$
begin
  for i in 0..15 loop
    execute format(
      'create table app.vote_receipts_p%1$s partition of app.vote_receipts_parted for values with (modulus 16, remainder %2$s)',
      lpad(i::text, 2, '0'), i
    );
    execute format('comment on table app.vote_receipts_p%s is %L', lpad(i::text, 2, '0'), 'Of app.vote_receipts.');
    execute format('alter table app.vote_receipts_p%s enable row level security', lpad(i::text, 2, '0'));
    execute format('grant maintain on app.vote_receipts_p%s to opine_worker', lpad(i::text, 2, '0'));
  end loop;
end
$$;

-- The order must not show the order of the votes.
insert into app.vote_receipts_parted (post_id, user_id, voted_at, hub_ids, baseline)
select post_id, user_id, voted_at, hub_ids, baseline from app.vote_receipts order by post_id, user_id;

alter table app.vote_receipts_parted
  add constraint vote_receipts_parted_pkey primary key (post_id, user_id),
  add constraint vote_receipts_post_id_fkey foreign key (post_id) references app.posts (id) on delete cascade,
  add constraint vote_receipts_user_id_fkey foreign key (user_id) references app.users (id) on delete cascade;
create index vote_receipts_parted_user_id_voted_at_idx on app.vote_receipts_parted (user_id, voted_at);
create index vote_receipts_parted_milestones_idx on app.vote_receipts_parted (post_id, (baseline % 500), baseline)
where baseline is not null;

alter table app.vote_receipts_parted enable row level security;
create policy vote_receipts_select on app.vote_receipts_parted for select to authenticated
using (user_id = (select app.user_id()));
grant select (post_id, user_id, voted_at) on app.vote_receipts_parted to anon, authenticated;
grant maintain on app.vote_receipts_parted to opine_worker;
comment on table app.vote_receipts_parted is 'One row per voter and post: the time to the minute, and the Hubs in which the vote counted; never the position. See docs/vote-secrecy.md.';

drop table app.vote_receipts;
alter table app.vote_receipts_parted rename to vote_receipts;
alter index app.vote_receipts_parted_pkey rename to vote_receipts_pkey;
alter index app.vote_receipts_parted_user_id_voted_at_idx rename to vote_receipts_user_id_voted_at_idx;
alter index app.vote_receipts_parted_milestones_idx rename to vote_receipts_milestones_idx;
commit;

-- Autovacuum does not analyze a partitioned table.
analyze app.vote_receipts;
