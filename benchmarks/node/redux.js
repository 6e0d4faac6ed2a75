// Redux in Node, with the reducer that its documentation recommends: every change copies the object
// of records. Prints lines for benchmarks/report.
'use strict';

const { createStore } = require('/usr/share/nodejs/redux/dist/redux.js'); // Debian's node-redux

const QUICK = process.env.BENCHMARK_QUICK !== undefined;
const ROUNDS = QUICK ? 1 : 7;
const SIZES = QUICK ? [1024, 8192] : [1024, 8192, 65536, 1048576];
const LARGE = QUICK ? 8192 : 65536;
const MANY_OBSERVERS = QUICK ? 1000 : 10000;
const STEPS = QUICK ? 10 : 100;
const TIME = QUICK ? 2 : 30; // how long one measurement should take, in milliseconds

const makeRecord = (number) => {
  const record = {};
  for (let field = 0; field < 10; field++) record[`f${field}`] = number + field;
  return record;
};

const makeState = (count) => {
  const records = {};
  for (let number = 0; number < count; number++) records[`k${number}`] = makeRecord(number);
  return { records };
};

const makeStore = (count) => createStore(reduce, makeState(count));

function reduce(state, action) {
  switch (action.type) {
    case 'changed': {
      const record = { ...state.records[action.id], f5: action.value };
      return { ...state, records: { ...state.records, [action.id]: record } };
    }
    case 'inserted':
      return { ...state, records: { ...state.records, [action.id]: action.record } };
    case 'deleted': {
      const { [action.id]: _, ...records } = state.records;
      return { ...state, records };
    }
    default:
      return state;
  }
}

// As redux-undo and "Implementing Undo History" in the documentation of Redux: the state has an array
// of the past states.
const undoable = (reducer) => (state, action) => {
  const present = reducer(state.present, action);
  if (present === state.present) return state;
  return { past: [...state.past, state.present], present, future: [] };
};

// ---- Measuring -----------------------------------------------------------------------------------

const milliseconds = (call, calls) => {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) call();
  return Number(process.hrtime.bigint() - start) / 1e6;
};

const enoughCalls = (call, most = 4096) => {
  call(); // warms up
  return Math.max(1, Math.min(most, Math.floor(TIME / milliseconds(call, 1))));
};

// Measures calls alternately (A B A B …). Returns the median of each, in seconds.
const measureInTurns = (contestants) => {
  const times = contestants.map(() => []);
  for (let round = -1; round < ROUNDS; round++) // the first warms up
    contestants.forEach(([calls, call], index) => {
      const time = milliseconds(call, calls) / calls / 1e3;
      if (round >= 0) times[index].push(time);
    });
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
};

const printPoint = (job, size, median, unit = 's') =>
  console.log([job, 'Node: Redux', size, median, unit].join('\t'));

// ---- Jobs ----------------------------------------------------------------------------------------

let value = 10000000;
let read = 0;

// The number of the i-th record to use, in a scattered order; count must be a power of 2.
const scattered = (i, count) => (Math.imul(i, 2654435761) >>> 7) & (count - 1);

const measureSizes = () => {
  for (const count of SIZES) {
    const store = makeStore(count);
    let i = 0, inserted = 0, deleted = 0;
    const key = () => `k${scattered(i++, count)}`;
    const newKey = (number) => `k${scattered(number, count)}n${number}`;
    const change = () => store.dispatch({ type: 'changed', id: key(), value: value++ });
    const readField = () => { read += store.getState().records[key()].f4; };
    const select = () => {
      const limit = count + 2 - Math.floor(count / 100);
      const found = Object.values(store.getState().records).filter((record) => record.f3 > limit);
      found.sort((a, b) => a.f3 - b.f3);
      if (found.length !== Math.floor(count / 100)) throw new Error(`selected ${found.length} records`);
    };
    const insert = () => {
      const number = inserted++;
      store.dispatch({ type: 'inserted', id: newKey(number), record: makeRecord(number) });
    };
    const remove = () => store.dispatch({ type: 'deleted', id: newKey(deleted++) });
    const jobs = {
      'select 1 % of the records, sorted': select,
      'read one field of a record': readField,
      'change one field of a record': change,
    };
    for (const [job, call] of Object.entries(jobs))
      printPoint(job, count, measureInTurns([[enoughCalls(call), call]])[0]);
    const calls = enoughCalls(insert, count / 4);
    while (deleted < inserted) remove();
    const [inserting, deleting] = measureInTurns([[calls, insert], [calls, remove]]);
    printPoint('insert a record', count, inserting);
    printPoint('delete a record', count, deleting);
  }
};

// Each subscriber runs its selector after each action, as the documentation of subscribe shows.
const measureObservers = () => {
  for (const observers of [1, MANY_OBSERVERS]) {
    const store = makeStore(LARGE);
    let calls = 0;
    for (let number = 0; number < observers; number++) {
      let last = store.getState().records[`k${number}`];
      store.subscribe(() => {
        const current = store.getState().records[`k${number}`];
        if (current !== last) calls++;
        last = current;
      });
    }
    const change = () => store.dispatch({ type: 'changed', id: 'k0', value: value++ });
    const [median] = measureInTurns([[enoughCalls(change), change]]);
    if (calls === 0) throw new Error('no observer was called');
    const name = observers === 1 ? 'one observer' : `${observers.toLocaleString('en')} observers`;
    printPoint(`change, ${name}`, LARGE, median);
  }
};

const used = () => {
  global.gc();
  return process.memoryUsage().heapUsed;
};

const measureMemory = () => {
  const before = used();
  const store = makeStore(LARGE);
  printPoint('memory of a record', LARGE, (used() - before) / LARGE, 'B');
  if (store.getState().records.k1 === undefined) throw new Error('no records');
};

const measureMemoryOfSteps = () => {
  const initial = { past: [], present: makeState(LARGE), future: [] };
  const store = createStore(undoable(reduce), initial);
  const before = used();
  for (let i = 0; i < STEPS; i++)
    store.dispatch({ type: 'changed', id: `k${scattered(i, LARGE)}`, value: value++ });
  printPoint('memory of a step', LARGE, (used() - before) / STEPS, 'B');
  if (store.getState().past.length !== STEPS) throw new Error('past states are missing');
};

measureMemory();
measureMemoryOfSteps();
measureSizes();
measureObservers();
