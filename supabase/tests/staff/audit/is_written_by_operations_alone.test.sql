select plan(2);

select is_empty($$ select tests.who_may($s$ select staff.audit('ada@opine.example', 'sign_in') $s$) $$, 'no role writes what it likes');
select is_empty($$ select tests.who_may($s$ select staff.role_of('ada@opine.example', '{}') $s$) $$, 'nor asks who is staff');

select * from finish();
