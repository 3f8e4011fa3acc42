create extension if not exists pg_trgm with schema extensions;
