select plan(6);

select is(gateway.without_phones(given), expected, format('phones are removed from %s', given))
from (
  values
    ('{"id": 1, "authorPhoneNumber": "+12025550101"}'::jsonb, '{"id": 1, "authorPhoneNumber": null}'::jsonb),
    ('{"author": {"phoneNumber": "+12025550101", "x": [1]}}', '{"author": {"phoneNumber": null, "x": [1]}}'),
    ('{"items": [{"phoneNumber": "+1"}, {"phoneNumber": null}]}', '{"items": [{"phoneNumber": null}, {"phoneNumber": null}]}'),
    ('{"text": "\"phoneNumber\": \"+12025550101\", \\"}', '{"text": "\"phoneNumber\": \"+12025550101\", \\"}'),
    ('{"text": "phoneNumber", "a": "b"}', '{"text": "phoneNumber", "a": "b"}'),
    (null, null)
) as answer (given, expected);

select * from finish();
