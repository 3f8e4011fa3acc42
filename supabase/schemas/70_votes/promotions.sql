create table app.promotions (
  post_id uuid primary key references app.posts (id) on delete cascade
);
comment on table app.promotions is 'Posts that were shared into Hubs of late: what is pending there is to be promoted by the next fold, where the share did not do so itself.';

alter table app.promotions enable row level security;

grant maintain on app.promotions to opine_worker;
