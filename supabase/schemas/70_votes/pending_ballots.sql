create table app.pending_ballots (
  post_id uuid not null,
  cast_hour timestamptz not null,
  key_id bytea not null,
  sealed bytea not null
);
comment on table app.pending_ballots is 'Votes since the last fold, as they will count in Hubs into which the post is shared later: position and Hubs, sealed, without the voter. Emptied by each fold (app.fold_ballots).';
comment on column app.pending_ballots.key_id is 'By which key it is sealed (app.key_id).';

create index pending_ballots_post_id_idx on app.pending_ballots (post_id);

alter table app.pending_ballots enable row level security;

grant maintain on app.pending_ballots to opine_worker;
