create extension if not exists pg_trgm with schema extensions;
create extension if not exists pgcrypto with schema extensions;
