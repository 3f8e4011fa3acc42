select plan(1);

-- What other projects' policies open is theirs to say; ours restrict alone.
select is_empty(
  $$ select polname::text from pg_policy where polrelid = 'storage.objects'::regclass and polpermissive $$, 'no policy of ours opens storage'
);

select * from finish();
