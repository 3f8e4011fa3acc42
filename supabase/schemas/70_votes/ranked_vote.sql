create type app.ranked_vote as (post_id uuid, user_id uuid, baseline integer);
comment on type app.ranked_vote is 'A vote, and the how many-th global one on its post it was; null on a private post.';
