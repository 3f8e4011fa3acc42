-- An earlier project in the same database, with everything that could conflict with ours. Run as `postgres`.

create role reporting nologin;
create role shop_api login noinherit;
grant authenticated to shop_api with inherit false;

-- Default privileges: reports may use all new objects in `public`, and those of shop_api anywhere.
alter default privileges in schema public grant select on tables to reporting;
alter default privileges in schema public grant execute on functions to reporting;
grant shop_api to postgres;
alter default privileges for role shop_api grant select on tables to reporting;

-- The same names as ours, in other schemas.
create table public.users (id bigint generated always as identity primary key, name text not null);
create table public.posts (id bigint generated always as identity primary key, user_id bigint references public.users);
alter table public.posts enable row level security;
create policy "Everybody reads" on public.posts for select to anon, authenticated using (true);
create function public.user_id() returns uuid language sql stable return auth.uid();
create type public.vote_position as enum ('up', 'down');
create view public.post_counts as select user_id, count(*) from public.posts group by user_id;

create schema shop authorization postgres;
grant usage on schema shop to anon, reporting;
create table shop.orders (id uuid primary key default gen_random_uuid(), buyer uuid references auth.users, total numeric);
alter table shop.orders enable row level security;
create policy "Buyers see their own" on shop.orders using (buyer = auth.uid());
grant select on shop.orders to authenticated;
create function shop.note() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger note before insert on shop.orders for each row execute function shop.note();
alter publication supabase_realtime add table shop.orders;

do $$
begin
  if to_regclass('storage.objects') is not null then
    insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true);
    create policy "Avatars are public" on storage.objects for select using (bucket_id = 'avatars');
  end if;
end
$$;
insert into public.users (name) values ('Nadia');
