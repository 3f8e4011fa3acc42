select plan(5);

select tests.request_code('maya', '1234');
create temporary table answers as select tests.enter_code('maya', '1234') as answer;

select is(answer -> 'isNewUser', 'true', 'a new phone makes a new user') from answers;
select is(answer -> 'merged', 'false', 'nothing is merged without a session') from answers;
select is((answer -> 'user') - 'id', '{"username": null, "fullName": null, "isAnonymous": true, "level": 1}', 'who has taken no step yet') from answers;
select is(u.phone::text, tests.phone_of('maya'), 'the phone is theirs, and proven')
from answers
join app.users as u on u.id = (answer -> 'user' ->> 'id')::uuid;
select is(s.user_id::text, answer -> 'user' ->> 'id', 'the session is theirs')
from answers
join app.sessions as s on s.id = (answer ->> 'sessionId')::uuid;

select * from finish();
