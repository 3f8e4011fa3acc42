select plan(3);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
select throws_ok($$ select tests.vote('lena', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED', 'who is in none of its Hubs does not vote');
select is_empty(
  'select from app.vote_receipts union all select from app.fresh_votes union all select from app.vote_slots union all select from app.pending_ballots', 'nothing is kept of it'
);
select lives_ok($$ select tests.vote('jonas', 'locked', 'left') $$, 'who is in one does');

select * from finish();
