select plan(1);

select tests.act_as_guest();
select is(
  api.get_login_config('{"appLogoUrl": "https://opine.example/logo.png", "methods": ["phone_otp"], "legal": {"termsVersion": "1"}}'),
  '{"appLogoUrl": "https://opine.example/logo.png", "legal": {"termsVersion": "1"}, "methods": ["phone_otp"],
    "otp": {"length": 4, "resendAfterSeconds": 60, "expiresInSeconds": 300}}',
  'what the configuration knows comes back with the rules of one-time codes'
);

select * from finish();
