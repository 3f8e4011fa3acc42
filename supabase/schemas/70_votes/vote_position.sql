create type app.vote_position as enum ('strong_left', 'left', 'neutral', 'right', 'strong_right');
comment on type app.vote_position is 'The five positions of a slider, in order. No table has a column of this type: a position lives only in the call that counts it.';
