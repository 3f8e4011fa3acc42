select plan(4);

select is(
  app.photo_url(tests.id('photo')), '/storage/v1/object/public/photos/' || tests.id('photo'), 'callers of the Data API get the path'
);
select is(app.photo_url(null), null, 'without a photo there is no URL');
select set_config('opine.photos_url', 'https://storage.example/photos/', true);
select is(app.photo_url(tests.id('photo')), 'https://storage.example/photos/' || tests.id('photo'), 'the service says where storage is');
select set_config('opine.photos_url', '', true);
select is(app.photo_url(tests.id('photo')), '/storage/v1/object/public/photos/' || tests.id('photo'), 'or nothing, and the path remains');

select * from finish();
