create type app.search_hit as (tier integer, key text, id uuid);
comment on type app.search_hit is 'What a search found: how well it fits (tier, the lowest best) and the place within the tier (key, then id).';
