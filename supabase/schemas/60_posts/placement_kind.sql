create type app.placement_kind as enum ('targeted', 'shared');
comment on type app.placement_kind is 'How a post came into a Hub: its author chose the Hub at publication, or a member shared it onward.';
