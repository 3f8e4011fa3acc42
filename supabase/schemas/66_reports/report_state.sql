create type app.report_state as enum ('open', 'closed');
comment on type app.report_state is 'Whether staff have yet to decide about a report.';
