create type app.report_reason as enum (
  'spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'
);
comment on type app.report_reason is 'What somebody finds wrong with what they report (contract.md 7).';
