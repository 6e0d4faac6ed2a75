"""Python's sqlite3: a table of JSON texts in memory. Each change is a transaction."""

from __future__ import annotations

import json
import sqlite3

from .subject import Record, Subject, records

SELECT = (
    "SELECT doc FROM r WHERE json_extract(doc, '$.f3') > ? ORDER BY json_extract(doc, '$.f3')"
)


class SQLite(Subject):
    name = "sqlite3"

    def __init__(self, count: int) -> None:
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.execute = self.database.execute
        self.execute("CREATE TABLE r(id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID")
        self.execute("BEGIN")
        rows = ((key, json.dumps(each)) for key, each in records(count).items())
        self.database.executemany("INSERT INTO r VALUES(?, ?)", rows)
        self.execute("COMMIT")

    def change(self, key: str, value: int) -> None:
        self.execute("UPDATE r SET doc = json_set(doc, '$.f5', ?) WHERE id = ?", (value, key))

    def insert(self, key: str, record: Record) -> None:
        self.execute("INSERT INTO r VALUES(?, ?)", (key, json.dumps(record)))

    def delete(self, key: str) -> None:
        self.execute("DELETE FROM r WHERE id = ?", (key,))

    def read(self, key: str) -> int:
        row = self.execute("SELECT json_extract(doc, '$.f4') FROM r WHERE id = ?", (key,))
        return row.fetchone()[0]

    def select(self, limit: float):
        return [json.loads(doc) for (doc,) in self.execute(SELECT, (limit,))]

    def close(self) -> None:
        self.database.close()


class IndexedSQLite(SQLite):
    name = "sqlite3, indexed"
    change = Subject.change
    insert = Subject.insert
    delete = Subject.delete
    read = Subject.read

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.execute("CREATE INDEX by_f3 ON r(json_extract(doc, '$.f3'))")


SUBJECTS = [SQLite, IndexedSQLite]
