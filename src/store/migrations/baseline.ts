// The database as the steps up to 0920 made it. Databases that have them keep these names in their history.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../tables.ts'
import type { MigrationStep } from './migration-step.ts'

/** Databases that stopped before this step are refused. */
export const BASELINE_STEP = '0920-extractors'

const FIRST_STEP = '0001-teams-and-keys'
const MERGED_STEPS = [
  '0002-ledger',
  '0003-pages',
  '0004-blobs-and-settings',
  '0005-jobs',
  '0006-captures-by-url',
  '0100-profiles',
  '0200-uploads',
  '0300-rights-and-usage',
  '0310-shared-limits',
  '0320-onboarding',
  '0340-browser-leases',
  '0420-snapshots',
  '0500-quick-bodies',
  '0600-operator-team',
  '0620-search',
  '0630-sessions',
  '0640-monitors',
  '0660-agent',
  '0680-private-right',
  '0700-session-runs',
  '0710-delivery-tries',
  '0720-page-versions',
  '0730-host-sightings',
  '0740-search-links',
  '0790-search-on-demand',
  '0800-asked-addresses',
  '0810-flows',
  '0840-synced-pages',
  '0850-feeds',
  '0860-sync-noise',
  '0880-several-machines',
  '0890-frontier-upkeep',
  '0895-session-replays',
  '0900-sync-checks',
  '0910-model-use',
]

export const baselineSteps: readonly MigrationStep[] = [
  { name: FIRST_STEP, up: createTables },
  ...[...MERGED_STEPS, BASELINE_STEP].map((name) => ({ name, up: async () => undefined })),
]

async function createTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isPostgres = dialect === 'postgres'
  const tables = TABLES.replaceAll(' BYTES', isPostgres ? ' bytea' : ' blob')
    .replaceAll(
      isPostgres ? /COUNTER( autoincrement)?/g : 'COUNTER',
      `${isPostgres ? 'bigserial' : 'integer'} primary key`,
    )
    // Ordered by the rules of a language, an index does not find beginnings.
    .replace('captures (url)', isPostgres ? 'captures (url text_pattern_ops)' : 'captures (url)')
    // Dozens of links are written for every page: one tree less.
    .replace(' without rowid', isPostgres ? '' : ' without rowid')
  for (const statement of tables.split(/;\n/)) await sql.raw(statement).execute(db)
  if (isPostgres) for (const statement of POSTGRES_STORAGE) await sql.raw(statement).execute(db)
}

const POSTGRES_STORAGE = [
  // pglz took half of the server's time per crawled page.
  ...['captures', 'documents', 'snapshots'].map(
    (table) => `do 'begin
      alter table ${table} alter column body set compression lz4;
    exception when feature_not_supported or syntax_error or invalid_parameter_value then
      alter table ${table} alter column body set storage external;
    end'`,
  ),
  // Each change of state leaves a dead entry that later scans pass; by default a fifth of the table may be dead.
  ...['frontier', 'bells', 'jobs'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
      autovacuum_vacuum_cost_delay = 0)`,
  ),
]

const TABLES = `
-- Teams, their keys and what they spend.
create table teams (
  id text primary key, name text not null unique, plan text not null,
  zero_data_retention text not null default 'allowed', created_at bigint not null,
  ip_allow text not null default '[]', is_operator bigint not null default 0
);
create unique index teams_operator on teams (is_operator) where is_operator = 1;
create table api_keys (
  id text primary key, team_id text not null references teams (id) on delete cascade, name text not null,
  hash text not null unique, hint text not null, created_at bigint not null, revoked_at bigint,
  rights text not null default '[]', endpoints text not null default '[]', formats text not null default '[]',
  expires_at bigint, model_tokens bigint, model_cost double precision
);
create index api_keys_by_team on api_keys (team_id);
create table balances (
  team_id text primary key references teams (id) on delete cascade, granted bigint, spent bigint not null default 0,
  reserved bigint not null default 0
);
create table reservations (
  job_id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  credits bigint not null, endpoint text not null, at bigint not null
);
create index reservations_by_age on reservations (at);
create table ledger (
  id COUNTER, team_id text not null references teams (id) on delete cascade, key_id text, job_id text,
  kind text not null, credits bigint not null, endpoint text, at bigint not null
);
create index ledger_by_team on ledger (team_id, at);
create index ledger_by_age on ledger (at);
-- Fetched pages and the documents made of them.
create table captures (
  id text primary key, cache_key text not null unique, url text not null, head text not null,
  fetched_at bigint not null, last_used_at bigint not null, bytes bigint not null, body_blob_id text, body BYTES
);
create index captures_by_use on captures (last_used_at, bytes);
create index captures_by_age on captures (fetched_at);
create index captures_by_url on captures (url);
create table documents (
  id text primary key, capture_id text references captures (id) on delete set null, digest_key text not null,
  created_at bigint not null, keep_until bigint not null, bytes bigint not null, body BYTES not null,
  constraint documents_by_capture unique (capture_id, digest_key)
);
create index documents_weight on documents (capture_id, bytes);
create index documents_loose on documents (keep_until) where capture_id is null;
create table scrapes (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  url text not null, document_id text not null references documents (id), credits bigint not null,
  created_at bigint not null, expires_at bigint not null, options text not null, overlay text not null,
  explain text not null
);
create index scrapes_by_expiry on scrapes (expires_at);
create index scrapes_by_document on scrapes (document_id);
create index scrapes_by_team on scrapes (team_id, created_at);
-- Blobs and settings.
create table blobs (
  id text primary key, team_id text, content_type text not null, bytes bigint not null, created_at bigint not null,
  expires_at bigint
);
create index blobs_by_expiry on blobs (expires_at);
create table settings (name text primary key, value text not null);
-- Jobs, their pages (the frontier), work messages (\`bells\`), workers and webhook deliveries.
create table jobs (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  kind text not null, state text not null, url text, settings text not null, webhook text,
  zero_data_retention integer not null default 0, page_limit bigint, slots integer, max_active integer,
  delay_ms bigint not null default 0, next_at bigint not null default 0, turn bigint not null default 0,
  discovering integer not null default 0, lease_until bigint not null default 0, total bigint not null default 0,
  queued bigint not null default 0, active bigint not null default 0, completed bigint not null default 0,
  failed bigint not null default 0, dropped bigint not null default 0, credits bigint not null default 0,
  created_at bigint not null, finished_at bigint, deadline_at bigint not null, expires_at bigint not null,
  error text, warning text
);
create index jobs_turns on jobs (team_id, turn) where state = 'scraping';
create index jobs_by_deadline on jobs (deadline_at) where state = 'scraping';
create index jobs_by_expiry on jobs (expires_at);
create table job_options (
  job_id text not null references jobs (id) on delete cascade, n integer not null, body text not null,
  constraint job_options_key primary key (job_id, n)
);
create table idempotency (
  team_id text not null references teams (id) on delete cascade, endpoint text not null, key text not null,
  at bigint not null, constraint idempotency_key primary key (team_id, endpoint, key)
);
create index idempotency_by_age on idempotency (at);
create table frontier (
  id text primary key, job_id text not null references jobs (id) on delete cascade, url_key text not null,
  url text not null, depth integer not null, options_n integer not null default 0, n bigint not null,
  state text not null, reason text, run_at bigint not null default 0, lease_until bigint,
  attempts integer not null default 0, seq bigint, scrape_id text, error text, at bigint,
  constraint frontier_once unique (job_id, url_key)
);
create index frontier_next on frontier (job_id, run_at, n) where state = 'queued';
create index frontier_leases on frontier (lease_until) where state = 'active';
create unique index frontier_results on frontier (job_id, seq) where seq is not null;
create index frontier_troubles on frontier (job_id, n) where state in ('failed', 'dropped');
create table bells (
  kind text not null, id text not null, run_at bigint not null, priority integer not null default 0,
  lease_until bigint not null default 0, attempts integer not null default 0, again_at bigint,
  constraint bells_key primary key (kind, id)
);
create index bells_next on bells (kind, priority, run_at);
create table workers (id text primary key, concurrency integer not null, seen_at bigint not null);
create table deliveries (
  id text primary key, team_id text not null references teams (id) on delete cascade, job_id text not null,
  event text not null, url text not null, headers text not null, state text not null,
  attempts integer not null default 0, next_at bigint not null, status integer, error text,
  created_at bigint not null, ended_at bigint, expires_at bigint not null, body text not null, key_id text,
  tries text not null default '[]'
);
create index deliveries_by_team on deliveries (team_id, id);
create index deliveries_due on deliveries (next_at) where state = 'pending';
create index deliveries_by_expiry on deliveries (expires_at);
-- Browser profiles and uploads.
create table profiles (
  team_id text not null references teams (id) on delete cascade, name text not null, state BYTES,
  updated_at bigint not null, saver text, saver_until bigint not null default 0,
  constraint profiles_pk primary key (team_id, name)
);
create table uploads (
  id text primary key, team_id text not null, filename text not null, content_type text not null,
  created_at bigint not null, expires_at bigint not null, blob_id text
);
create index uploads_by_team on uploads (team_id, created_at);
-- Activity, use by day, audit log, feedback.
create table activity (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text, job_id text,
  endpoint text not null, api_version text not null, at bigint not null, target text, username text,
  status bigint not null, ms bigint not null, engine text, error text
);
create index activity_by_team on activity (team_id, id);
create index activity_by_job on activity (job_id);
create table usage_days (
  day bigint not null, team_id text not null references teams (id) on delete cascade, key_id text not null,
  endpoint text not null, credits bigint not null default 0, requests bigint not null default 0,
  errors bigint not null default 0, by_cache bigint not null default 0, by_http bigint not null default 0,
  by_browser bigint not null default 0, by_upload bigint not null default 0, model_tokens bigint not null default 0,
  model_cost double precision not null default 0,
  constraint usage_days_key primary key (team_id, day, key_id, endpoint)
);
create table audit_log (
  id text primary key, at bigint not null, team_id text, actor text not null, action text not null, subject text,
  details text not null
);
create index audit_log_by_team on audit_log (team_id, id);
create table feedback (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  job_id text not null, endpoint text not null, rating text not null, at bigint not null, body text not null,
  constraint feedback_once unique (team_id, job_id)
);
create index feedback_by_age on feedback (at);
-- Shared limits, sign-ins, browsers in use.
create table rate_windows (
  team_id text not null, bucket text not null, window_start bigint not null, used bigint not null,
  constraint rate_windows_key primary key (team_id, bucket)
);
create table slots (id text primary key, team_id text not null, lease_until bigint not null);
create index slots_by_team on slots (team_id, lease_until);
create table cli_logins (
  session_hash text primary key, challenge text not null,
  team_id text not null references teams (id) on delete cascade, key_name text not null, approved_by text not null,
  expires_at bigint not null
);
create table identities (
  issuer text not null, subject text not null, email text not null,
  team_id text not null references teams (id) on delete cascade, created_at bigint not null,
  constraint identities_key primary key (issuer, subject)
);
create table used_assertions (hash text primary key, expires_at bigint not null);
create table browser_leases (
  id text primary key, process text not null, owner text not null, since bigint not null, until bigint not null
);
create index browser_leases_until on browser_leases (until);
-- Tracked pages.
create table snapshots (
  id text primary key, team_id text not null, url text not null, branch text not null, taken_at bigint not null,
  bytes bigint not null, body BYTES not null, data text, constraint snapshots_of_page unique (team_id, branch, url)
);
create index snapshots_by_age on snapshots (taken_at, bytes);
-- The search index: outbox, pages, segments, links and votes. Outbox ids are the versions of pages: none may come twice.
create table search_outbox (
  id COUNTER autoincrement, team_id text not null, url text not null, document_id text not null, at bigint not null,
  kind text not null
);
create index search_outbox_by_team on search_outbox (team_id, id);
create index search_outbox_by_document on search_outbox (document_id);
create table search_pages (
  number COUNTER autoincrement, team_id text not null, url_key text not null, version bigint not null, url text not null,
  canonical text, title text not null, description text not null, language text not null, type text not null,
  dated bigint, image text, pictures text not null, print text not null, seen_at bigint not null, text BYTES,
  text_since bigint, links text, links_since bigint, constraint search_pages_by_url unique (team_id, url_key)
);
create index search_pages_by_age on search_pages (seen_at);
create index search_pages_by_links_age on search_pages (links_since) where links_since is not null;
create table search_segments (
  id text primary key, team_id text not null, live bigint not null, pages bigint not null, bytes bigint not null,
  created_at bigint not null
);
create index search_segments_by_team on search_segments (team_id, live);
create table search_segment_parts (
  segment_id text not null references search_segments (id) on delete cascade, n bigint not null,
  body BYTES not null, constraint search_segment_parts_key primary key (segment_id, n)
);
create table searches (id text primary key, team_id text not null, words text not null, at bigint not null);
create index searches_by_age on searches (at);
create table search_votes (
  id text primary key, team_id text not null, search_id text not null, words text not null, url_key text not null,
  vote bigint not null, at bigint not null
);
create index search_votes_by_team on search_votes (team_id, words);
-- Browser sessions.
create table sessions (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text, scrape_id text,
  state text not null, holder text not null, address text, created_at bigint not null,
  last_activity bigint not null, seen_at bigint not null, expires_at bigint not null,
  activity_ttl_ms bigint not null, ended_at bigint, error text, prompted integer not null default 0,
  billed bigint not null default 0, stream integer not null default 1, recording text, profile text,
  saves_profile integer not null default 0, run_id text, replay text, replay_index text
);
create index sessions_by_team on sessions (team_id, created_at);
create index sessions_by_state on sessions (state, seen_at);
create unique index sessions_by_scrape on sessions (scrape_id);
create index sessions_by_run on sessions (run_id);
-- Monitors: checks, pages, recipients, notices.
create table monitors (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  name text not null, status text not null, cron text not null, timezone text not null, interval_ms bigint not null,
  targets text not null, webhook text, notification text, watch text not null, retention_days integer not null,
  goal text, judge_enabled integer not null, estimated_credits bigint not null, next_run_at bigint,
  last_run_at bigint, current_check_id text, last_summary text, calm integer not null default 0,
  feed_token text not null, created_at bigint not null, updated_at bigint not null
);
create index monitors_due on monitors (next_run_at, id) where status = 'active';
create index monitors_by_team on monitors (team_id, id);
create index monitors_by_feed on monitors (feed_token);
create table monitor_checks (
  id text primary key, monitor_id text not null references monitors (id) on delete cascade, team_id text not null,
  status text not null, trigger text not null, scheduled_for bigint, started_at bigint, finished_at bigint,
  estimated_credits bigint, reserved_credits bigint, actual_credits bigint, billing text not null,
  summary text not null, targets text not null, notified text, error text, created_at bigint not null,
  updated_at bigint not null, expires_at bigint not null
);
create index checks_of_monitor on monitor_checks (monitor_id, id);
create index checks_by_expiry on monitor_checks (expires_at);
create index checks_open on monitor_checks (updated_at) where status in ('queued', 'running');
create table monitor_check_pages (
  id text primary key, check_id text not null references monitor_checks (id) on delete cascade,
  monitor_id text not null, target_id text not null, url text not null, status text not null,
  previous_scrape_id text, current_scrape_id text, status_code integer, credits bigint not null default 0,
  error text, metadata text, judgment text, diff text, snapshot text, suppressed text, texts BYTES,
  created_at bigint not null, constraint check_page_once unique (check_id, target_id, url)
);
create index check_pages_in_order on monitor_check_pages (check_id, id);
create index check_pages_of_monitor on monitor_check_pages (monitor_id, url, id);
create table monitor_pages (
  monitor_id text not null references monitors (id) on delete cascade, target_id text not null, url text not null,
  state text not null, scrape_id text, seen_at bigint not null, changed_at bigint not null, marks text, body BYTES,
  data text, memory text, constraint monitor_pages_key primary key (monitor_id, target_id, url)
);
create table monitor_recipients (
  monitor_id text not null references monitors (id) on delete cascade, email text not null, status text not null,
  source text not null, asked_at bigint, updated_at bigint not null,
  constraint monitor_recipients_key primary key (monitor_id, email)
);
create table monitor_notices (
  id text primary key, monitor_id text not null references monitors (id) on delete cascade, team_id text not null,
  check_id text, channel text not null, address text not null, state text not null,
  attempts integer not null default 0, next_at bigint not null, message text not null, error text,
  created_at bigint not null, ended_at bigint, expires_at bigint not null
);
create index notices_of_monitor on monitor_notices (monitor_id, id);
create index notices_due on monitor_notices (next_at) where state = 'pending';
create index notices_by_expiry on monitor_notices (expires_at);
-- Agent runs.
create table agent_runs (
  id text primary key, team_id text not null references teams (id) on delete cascade, key_id text,
  thread_id text not null, turn integer not null, state text not null, body text not null, webhook text,
  max_credits bigint not null, credits bigint not null default 0, events bigint not null default 0,
  cancel_at bigint, lease_until bigint not null default 0, created_at bigint not null, finished_at bigint,
  expires_at bigint not null, error text, result text
);
create index agent_runs_of_team on agent_runs (team_id, created_at);
create index agent_runs_of_thread on agent_runs (thread_id, turn);
create index agent_runs_by_expiry on agent_runs (expires_at);
create table agent_steps (
  run_id text not null references agent_runs (id) on delete cascade, n integer not null, call_id text not null,
  tool text not null, input text not null, state text not null, credits bigint not null, at bigint not null,
  result text, constraint agent_steps_key primary key (run_id, n)
);
create table agent_events (
  run_id text not null references agent_runs (id) on delete cascade, n bigint not null, body text not null,
  constraint agent_events_key primary key (run_id, n)
);
create table agent_snapshots (
  run_id text not null references agent_runs (id) on delete cascade, id text not null, body text not null,
  constraint agent_snapshots_key primary key (run_id, id)
);
create table page_versions (
  id text primary key, team_id text not null, url_key text not null, url text not null, title text not null,
  since bigint not null, seen_at bigint not null, bytes bigint not null, text BYTES not null
);
create index page_versions_of_page on page_versions (team_id, url_key, since);
create index page_versions_by_age on page_versions (seen_at, bytes);
create table host_sightings (print text primary key, at bigint not null);
create index host_sightings_by_time on host_sightings (at, print);
create table search_links (
  team_id text not null, bucket bigint not null, slot bigint not null, target bigint not null,
  source bigint not null references search_pages (number) on delete cascade, text text not null,
  constraint search_links_key primary key (team_id, bucket, slot)
) without rowid;
create index search_links_by_source on search_links (source);
create table search_teams (team_id text primary key, searched_at bigint not null);
create table asked_addresses (
  print text primary key, notice_id text not null, asked_at bigint not null, declined_at bigint
);
create index asked_addresses_by_time on asked_addresses (asked_at);
-- Flows and the vault.
create table flows (
  team_id text not null, name text not null, version integer not null, body text not null,
  created_at bigint not null, constraint flows_key primary key (team_id, name, version)
);
create table vault (
  team_id text not null, name text not null, domain text not null, sealed text not null, updated_at bigint not null,
  constraint vault_key primary key (team_id, name)
);
-- What crawls and batches with \`since\` know of pages.
create table sync_series (
  id text primary key, team_id text not null, name text not null, url text not null, job_id text, done_at bigint,
  trust integer not null default 0, used_at bigint not null, lastmod_checks integer not null default 0,
  lastmod_misses integer not null default 0, validator_checks integer not null default 0,
  validator_misses integer not null default 0, constraint sync_series_by_name unique (team_id, name)
);
create table synced_pages (
  series_id text not null references sync_series (id) on delete cascade, url_key text not null, url text not null,
  depth integer not null, prints BYTES not null, chars integer not null, marks text, listed_at bigint,
  listed_by text, read_at bigint not null, seen_at bigint not null, first_at bigint not null,
  changed_at bigint not null, gone_at bigint, absences integer not null default 0,
  unread integer not null default 0, lastmod_checks integer not null default 0,
  lastmod_misses integer not null default 0, validator_checks integer not null default 0,
  validator_misses integer not null default 0, unvisited integer not null default 0,
  constraint synced_pages_key primary key (series_id, url_key)
);
-- Feeds.
create table feeds (
  id text primary key, team_id text not null, key_id text not null, token text not null unique, url text not null,
  title text not null, every_ms bigint not null, options text not null, created_at bigint not null,
  checked_at bigint not null, error text
);
create index feeds_by_team on feeds (team_id, id);
create table feed_items (
  feed_id text not null references feeds (id) on delete cascade, url_key text not null, url text not null,
  n integer not null, first_at bigint not null, body text not null,
  constraint feed_items_key primary key (feed_id, url_key)
);
create table sync_noise (
  series_id text not null references sync_series (id) on delete cascade, print bigint not null,
  pages integer not null, last_key text not null, constraint sync_noise_key primary key (series_id, print)
);
-- What machines on one database share.
create table blob_chunks (
  id text not null, n integer not null, body BYTES not null, constraint BYTES_chunks_key primary key (id, n)
);
create table host_turns (
  print text primary key, next_at bigint not null, rest_until bigint not null, strikes integer not null,
  seen_at bigint not null
);
create index host_turns_by_age on host_turns (seen_at);
-- Extractors, one row per version.
create table extractors (
  team_id text not null, id text not null, version integer not null, name text, body text not null,
  stats text not null, created_at bigint not null, constraint extractors_key primary key (team_id, id, version)
)`
