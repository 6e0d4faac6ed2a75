-- The schema of logs in PostgreSQL, made and upgraded by imd_postgresql_initialize, in one
-- transaction. It needs PostgreSQL 13 or later. Every statement can be run again.
--
-- Clients only call functions. These run with the rights of the schema's owner, and check the
-- rights of the role that has logged in, session_user, which SET ROLE does not change. Most return
-- rows of the type answer: first one that says what came of the call, then entries, if any.

begin;
select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

-- One at a time: "create or replace" of the same function fails if two do it.
select pg_advisory_xact_lock(7304889238140773);

do $$
begin
  if to_regnamespace('immutabledata') is not null and not pg_has_role(
    (select nspowner from pg_namespace where nspname = 'immutabledata'), 'usage')
  then
    raise exception 'the schema "immutabledata" belongs to another role'
      using errcode = 'insufficient_privilege', hint = 'initialize it as its owner';
  end if;
  if to_regprocedure('immutabledata.format()') is not null then
    if immutabledata.format() > 1 then
      raise exception 'the schema "immutabledata" has format %, later than 1',
        immutabledata.format()
        using errcode = 'feature_not_supported', hint = 'install a later version of immutabledata';
    end if;
  end if;
end $$;

create schema if not exists immutabledata;

-- ---- Tables -------------------------------------------------------------------------------------

-- A log. Its row is locked by whoever appends, so it says where the log ends, and where the entries
-- that are kept begin: after trimmed_number. Half of each page is left free, for updates in place.
create table if not exists immutabledata.log (
  key bigint generated always as identity primary key,
  name text not null unique,
  id uuid not null default gen_random_uuid(),
  header bytea not null,
  trimmed_number bigint not null default 0,
  trimmed_hash bytea not null default decode(repeat('00', 32), 'hex'),
  number bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex')
) with (fillfactor = 50);

-- The entries. author is the role that appended it.
create table if not exists immutabledata.entry (
  log bigint not null,
  number bigint not null,
  origin uuid not null,
  counter bigint not null,
  author text not null,
  hash bytea not null,
  text bytea not null,
  primary key (log, number)
);

-- The last counter of each origin, which outlives the entries.
create table if not exists immutabledata.origin (
  log bigint not null,
  id uuid not null,
  counter bigint not null,
  primary key (log, id)
) with (fillfactor = 50);

-- The latest snapshot of each log.
create table if not exists immutabledata.snapshot (
  log bigint primary key,
  number bigint not null,
  hash bytea not null,
  text bytea not null
);

-- Who may use a log: 1 to read it, 2 to append too, 3 to trim it and to grant too. Role 0 is
-- everybody. A dump has the names of roles, as their numbers differ between servers.
create table if not exists immutabledata.permission (
  log bigint not null,
  role regrole not null,
  level smallint not null check (level between 1 and 3),
  primary key (log, role)
);

-- LZ4 compresses a snapshot several times as fast. PostgreSQL has it from 14 on, if built with it.
do $$
begin
  execute 'alter table immutabledata.snapshot alter column text set compression lz4';
  execute 'alter table immutabledata.entry alter column text set compression lz4';
exception when feature_not_supported or syntax_error then
  null;
end $$;

do $$
begin
  if to_regtype('immutabledata.answer') is null then
    -- outcome is an imd_log_outcome.
    create type immutabledata.answer as (
      outcome smallint, number bigint, hash bytea, text bytea, origin uuid, counter bigint,
      author text
    );
  end if;
end $$;

-- ---- Rights -------------------------------------------------------------------------------------

create or replace function immutabledata.format() returns integer
language sql immutable as 'select 1';

-- Whether the role that has logged in has a right to a log. The owner of the schema has all.
--
-- This function and others that only functions here call have no rights and no settings of their
-- own, which would take time at each call. In plpgsql, since SQL functions are planned each time.
create or replace function immutabledata.is_permitted(log_key bigint, wanted smallint)
returns boolean language plpgsql stable
as $$
begin
  return exists (
    select from immutabledata.permission p
    where p.log = log_key and p.level >= wanted
      and case p.role when 0 then true else pg_has_role(session_user, p.role, 'usage') end
  ) or pg_has_role(session_user, current_user, 'usage');
end $$;

create or replace function immutabledata.check_permission(log_key bigint, wanted smallint)
returns void language plpgsql stable
as $$
declare
  level text;
  log_name text;
begin
  if not immutabledata.is_permitted(log_key, wanted) then
    level := (array['read', 'append', 'manage'])[wanted];
    select l.name into log_name from immutabledata.log l where l.key = log_key;
    raise exception 'role "%" has no permission to % log "%"', session_user,
      case level when 'append' then 'append to' else level end, log_name
      using errcode = 'insufficient_privilege', hint = format(
        'run as its manager: select immutabledata.allow(%L, %L, %L)',
        log_name, session_user, level);
  end if;
end $$;

-- The logs that may be read, for the policies of the tables.
create or replace function immutabledata.readable_logs()
returns setof bigint language sql stable security definer
set search_path = pg_catalog, immutabledata, pg_temp
as 'select key from log where is_permitted(key, 1::smallint)';

-- The functions for clients; also those that check_permission does not guard return nothing secret.
create or replace function immutabledata.grant_functions(role_name text)
returns void language plpgsql security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  name regprocedure;
begin
  execute format('grant usage on schema immutabledata to %s', role_name);
  for name in
    select p.oid from pg_proc p
    where p.pronamespace = 'immutabledata'::regnamespace and p.proname in (
      'format', 'open', 'append', 'lock', 'read', 'get_snapshot', 'put_snapshot', 'trim', 'allow',
      'forbid', 'remove_log', 'readable_logs')
  loop
    execute format('grant execute on function %s to %s', name, role_name);
  end loop;
end $$;

-- Removes a log with all that it has. Stores that have it open stop with their next call.
create or replace function immutabledata.remove_log(log_name text)
returns void language plpgsql security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  log_key bigint;
begin
  select key into log_key from log where name = log_name for update;
  if not found then
    raise exception 'there is no log "%"', log_name using errcode = 'no_data_found';
  end if;
  perform check_permission(log_key, 3::smallint);
  delete from entry where log = log_key;
  delete from origin where log = log_key;
  delete from snapshot where log = log_key;
  delete from permission where log = log_key;
  delete from log where key = log_key;
end $$;

-- Lets a role, or "public", use a log: level is 'read', 'append' or 'manage', each more than the
-- one before. For managers of the log.
create or replace function immutabledata.allow(log_name text, role_name text, level text)
returns void language plpgsql security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  log_key bigint;
  new_level smallint := array_position(array['read', 'append', 'manage'], level);
  role_oid oid := 0;
begin
  select key into log_key from log where name = log_name;
  if not found then
    raise exception 'there is no log "%"', log_name using errcode = 'no_data_found';
  end if;
  perform check_permission(log_key, 3::smallint);
  if new_level is null then
    raise exception 'invalid level "%"; expected read, append or manage', level
      using errcode = 'invalid_parameter_value';
  end if;
  if role_name <> 'public' then
    select oid into role_oid from pg_roles where rolname = role_name;
    if not found then
      raise exception 'there is no role "%"', role_name using errcode = 'undefined_object';
    end if;
  end if;
  insert into permission as p values (log_key, role_oid, new_level)
  on conflict (log, role) do update set level = excluded.level;
  perform grant_functions(quote_ident(role_name));
end $$;

-- Takes back what allow gave. Connections that are open lose the right with their next call.
create or replace function immutabledata.forbid(log_name text, role_name text)
returns void language plpgsql security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  log_key bigint;
begin
  select key into log_key from log where name = log_name;
  if not found then
    raise exception 'there is no log "%"', log_name using errcode = 'no_data_found';
  end if;
  perform check_permission(log_key, 3::smallint);
  delete from permission p where p.log = log_key and p.role = case role_name
    when 'public' then 0 else (select oid from pg_roles where rolname = role_name) end;
end $$;

-- Lets a role make logs, which it then manages. For the owner of the schema.
create or replace function immutabledata.allow_create(role_name text)
returns void language plpgsql
set search_path = pg_catalog, immutabledata, pg_temp
as $$
begin
  perform grant_functions(quote_ident(role_name));
  execute format('grant execute on function create_log(text, bytea, bytea) to %I', role_name);
end $$;

-- ---- Opening ------------------------------------------------------------------------------------

-- A log: its end, its header as text, its id as origin, and its key as counter.
create or replace function immutabledata.open(log_name text)
returns setof immutabledata.answer language plpgsql stable security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
begin
  select * into l from log where name = log_name;
  if not found then
    return next row(3, null, null, null, null, null, null)::answer;
    return;
  end if;
  perform check_permission(l.key, 1::smallint);
  return next row(0, l.number, l.hash, l.header, l.id, l.key, null)::answer;
end $$;

-- Makes a log, unless it exists. The role that has logged in manages it.
create or replace function immutabledata.create_log(log_name text, header bytea, base bytea)
returns void language plpgsql volatile security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
begin
  insert into log (name, header) values (log_name, header) on conflict (name) do nothing
  returning * into l;
  if found then
    insert into snapshot values (l.key, 0, l.hash, base);
    insert into permission
    values (l.key, (select oid from pg_roles where rolname = session_user), 3);
  end if;
end $$;

-- ---- Reading ------------------------------------------------------------------------------------

-- Compares a place with a log: 0 if the log has it, 4 if it was trimmed, 5 if the log has another
-- hash there, or ends before it.
create or replace function immutabledata.compare(
  l immutabledata.log, place_number bigint, place_hash bytea)
returns smallint language plpgsql stable
as $$
begin
  return case
    when place_number = l.number then case when place_hash = l.hash then 0 else 5 end
    when place_number > l.number then 5
    when place_number < l.trimmed_number then 4
    when place_number = l.trimmed_number then
      case when place_hash = l.trimmed_hash then 0 else 5 end
    when exists (
      select from immutabledata.entry e
      where e.log = l.key and e.number = place_number and e.hash = place_hash) then 0
    else 5
  end;
end $$;

-- Entries after a number: at least one if there is one, and no more after byte_limit bytes.
create or replace function immutabledata.entries(
  l immutabledata.log, after_number bigint, byte_limit bigint)
returns setof immutabledata.answer language plpgsql stable
as $$
declare
  a immutabledata.answer;
  bytes bigint := 0;
begin
  for a in
    select 0, e.number, e.hash, e.text, e.origin, e.counter, e.author
    from immutabledata.entry e
    where e.log = l.key and e.number > after_number and e.number <= l.number
    order by e.number
  loop
    bytes := bytes + octet_length(a.text);
    exit when bytes > byte_limit and a.number > after_number + 1;
    return next a;
  end loop;
end $$;

-- All of it sees one state of the tables, as it is stable.
create or replace function immutabledata.read(
  log_key bigint, after_number bigint, after_hash bytea, byte_limit bigint)
returns setof immutabledata.answer language plpgsql stable security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
  place_outcome smallint;
begin
  select * into l from log where key = log_key;
  if not found then
    raise exception 'the log was removed' using errcode = 'no_data_found';
  end if;
  perform check_permission(log_key, 1::smallint);
  place_outcome := compare(l, after_number, after_hash);
  return next row(place_outcome, l.number, l.hash, null, null, null, null)::answer;
  if place_outcome = 0 then
    return query select * from entries(l, after_number, byte_limit);
  end if;
end $$;

-- Locks a log until the end of the transaction: nobody else can append.
create or replace function immutabledata.lock(log_key bigint)
returns void language plpgsql volatile security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
begin
  perform check_permission(log_key, 2::smallint);
  perform from log where key = log_key for update;
end $$;

-- ---- Appending ----------------------------------------------------------------------------------

-- Appends entries of one origin, whose counters begin with first_counter: all or none. If
-- after_number is not null, the log must end there; the answer to an append that is refused brings
-- the entries after that place.
--
-- The log's row is locked first, in a statement of its own: the statements after it see what was
-- committed before the lock was granted. In REPEATABLE READ they would not.
create or replace function immutabledata.append(
  log_key bigint, after_number bigint, after_hash bytea, origin_id uuid, first_counter bigint,
  texts bytea[], byte_limit bigint)
returns setof immutabledata.answer language plpgsql volatile security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
  last_counter bigint;
  place_outcome smallint;
  entry_text bytea;
  entry_hash bytea;
  hashes bytea[] := '{}';
  new_number bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'transactions that append must be READ COMMITTED'
      using errcode = 'feature_not_supported';
  end if;
  perform check_permission(log_key, 2::smallint);
  select * into l from log where key = log_key for update;
  if not found then
    raise exception 'the log was removed' using errcode = 'no_data_found';
  end if;

  if cardinality(texts) > 0 then
    select counter into last_counter from origin where log = log_key and id = origin_id;
    last_counter := coalesce(last_counter, 0);
    if first_counter <> last_counter + 1 then
      return next row(2, l.number, l.hash, null, null, last_counter, null)::answer;
      return;
    end if;
  end if;

  if after_number is not null then
    place_outcome := compare(l, after_number, after_hash);
    if place_outcome <> 5 and after_number <> l.number then
      return next row(1, l.number, l.hash, null, null, null, null)::answer;
      if place_outcome = 0 then
        return query select * from entries(l, after_number, byte_limit);
      end if;
      return;
    elsif place_outcome <> 0 then
      return next row(place_outcome, l.number, l.hash, null, null, null, null)::answer;
      return;
    end if;
  end if;

  if cardinality(texts) > 0 then
    entry_hash := l.hash;
    foreach entry_text in array texts loop
      entry_hash := sha256(entry_hash || entry_text);
      hashes := hashes || entry_hash;
    end loop;
    insert into entry
    select log_key, l.number + place, origin_id, last_counter + place, session_user, t.hash, t.text
    from unnest(texts, hashes) with ordinality as t (text, hash, place);
    insert into origin values (log_key, origin_id, last_counter + cardinality(texts))
    on conflict (log, id) do update set counter = excluded.counter;
    new_number := l.number + cardinality(texts);
    update log set number = new_number, hash = entry_hash where key = log_key;
    -- A hint for those who listen; the payload is short, for its queue is small.
    perform pg_notify('immutabledata_' || log_key, new_number::text);
    l.number := new_number;
    l.hash := entry_hash;
  end if;
  return next row(0, l.number, l.hash, null, null, null, null)::answer;
end $$;

-- ---- Snapshots ----------------------------------------------------------------------------------

create or replace function immutabledata.get_snapshot(log_key bigint)
returns setof immutabledata.answer language plpgsql stable security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
begin
  perform check_permission(log_key, 1::smallint);
  return query
  select 0::smallint, s.number, s.hash, s.text, null::uuid, null::bigint, null::text
  from snapshot s where s.log = log_key;
  if not found then
    return next row(3, null, null, null, null, null, null)::answer;
  end if;
end $$;

-- Replaces the snapshot if it is the one at old_number; the answer has the number of that which was
-- there as counter. Its row is locked, against trim; appends go on.
create or replace function immutabledata.put_snapshot(
  log_key bigint, old_number bigint, new_number bigint, new_hash bytea, new_text bytea)
returns setof immutabledata.answer language plpgsql volatile security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
  latest bigint;
  place_outcome smallint;
begin
  perform check_permission(log_key, 2::smallint);
  select number into latest from snapshot where log = log_key for update;
  select * into l from log where key = log_key;
  if not found then
    raise exception 'the log was removed' using errcode = 'no_data_found';
  end if;
  place_outcome := case when latest <> old_number then 1 else compare(l, new_number, new_hash) end;
  if place_outcome = 0 then
    update snapshot set number = new_number, hash = new_hash, text = new_text where log = log_key;
  end if;
  return next row(place_outcome, l.number, l.hash, null, null, latest, null)::answer;
end $$;

-- Removes entries up to a number, but at most count_limit: the answer says up to which as counter.
create or replace function immutabledata.trim(log_key bigint, up_to bigint, count_limit bigint)
returns setof immutabledata.answer language plpgsql volatile security definer
set search_path = pg_catalog, immutabledata, pg_temp
as $$
declare
  l log;
  latest bigint;
  last_removed bigint;
begin
  perform check_permission(log_key, 3::smallint);
  select number into latest from snapshot where log = log_key for update;
  if latest is null or up_to > latest then
    raise exception 'cannot trim up to %: the latest snapshot is at %', up_to, latest
      using errcode = 'invalid_parameter_value';
  end if;
  select * into l from log where key = log_key;
  last_removed := least(up_to, l.trimmed_number + count_limit);
  if last_removed > l.trimmed_number then
    update log set trimmed_number = e.number, trimmed_hash = e.hash
    from entry e where key = log_key and e.log = log_key and e.number = last_removed
    returning log.number, log.hash into l.number, l.hash;
    delete from entry where log = log_key and number <= last_removed;
  else
    last_removed := l.trimmed_number;
  end if;
  return next row(0, l.number, l.hash, null, null, last_removed, null)::answer;
end $$;

-- ---- Access -------------------------------------------------------------------------------------

revoke all on all functions in schema immutabledata from public;
do $$
begin
  -- What was granted to everybody by allow(..., 'public', ...) is granted again.
  if exists (select from immutabledata.permission where role = 0) then
    perform immutabledata.grant_functions('public');
  end if;
end $$;

-- A role that is granted SELECT on the tables sees the logs that it may read. The functions for the
-- policies need EXECUTE on readable_logs, which allow grants.
do $$
declare
  name text;
begin
  foreach name in array array['log', 'entry', 'origin', 'snapshot', 'permission'] loop
    execute format('alter table immutabledata.%I enable row level security', name);
    execute format('drop policy if exists readable on immutabledata.%I', name);
    execute format(
      'create policy readable on immutabledata.%I for select using '
      || '(%I in (select immutabledata.readable_logs()))',
      name, case name when 'log' then 'key' else 'log' end);
  end loop;
end $$;

commit;
