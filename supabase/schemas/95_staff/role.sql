create type staff.role as enum ('support', 'moderator', 'admin');
comment on type staff.role is 'What a member of staff may do: support looks accounts up, a moderator decides about reports as well, an admin about everything else too. Each is a role of Postgres, staff_<role>.';
