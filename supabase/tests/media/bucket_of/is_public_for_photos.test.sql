select plan(1);

select set_eq(
  'select purpose, app.bucket_of(purpose) from unnest(enum_range(null::app.upload_purpose)) as purpose',
  $$
    values ('profile_photo'::app.upload_purpose, 'photos'), ('hub_photo', 'photos'), ('post_image', 'media'), ('document', 'media')
  $$,
  'photos everybody may read, media whoever has a signed URL'
);

select * from finish();
