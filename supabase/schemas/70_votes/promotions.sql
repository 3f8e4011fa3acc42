create table app.promotions (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade
);
comment on table app.promotions is 'Posts that were shared into Hubs of late: what is pending there is to be promoted by the next fold, where the share did not do so itself. A row a share: had they one together, what is pruned could be a share that came just then.';

create index promotions_post_id_idx on app.promotions (post_id);

alter table app.promotions enable row level security;

grant maintain on app.promotions to opine_worker;
