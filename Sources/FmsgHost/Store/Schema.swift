/// The tables of a host.
enum Schema {
    /// The layout that this code reads and writes, kept in `user_version`.
    static let version: Int64 = 2

    /// Makes the tables of a new database; its first message gets `firstMessageId`.
    static func prepare(_ database: Database, firstMessageId: Int64) throws {
        try database.transaction { database in
            let found = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
            guard found != version else { return }
            guard (0..<version).contains(found) else {
                throw HostError(.dataFolder, "the data folder was written by another version")
            }
            if found == 0 {
                try database.runScript(tables)
                try database.run(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES ('message', ?)",
                    .integer(max(1, firstMessageId) - 1))
            }
            try database.runScript(subAccountTable)
            try database.runScript("PRAGMA user_version = \(version)")
        }
    }

    /// `key` columns hold folded addresses, `address` columns the spelling that is shown.
    private static let tables = """
        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE user (
            key TEXT PRIMARY KEY,
            address TEXT NOT NULL,
            owner TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE api_key (
            id TEXT PRIMARY KEY,
            user_key TEXT NOT NULL REFERENCES user (key),
            secret_sha256 BLOB NOT NULL,
            revoked INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;

        CREATE TABLE message (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            from_address TEXT NOT NULL,
            from_key TEXT NOT NULL,
            pid INTEGER REFERENCES message (id),
            parent_sha256 BLOB,
            topic TEXT NOT NULL,
            type TEXT NOT NULL,
            size INTEGER NOT NULL,
            important INTEGER NOT NULL,
            no_reply INTEGER NOT NULL,
            terminal INTEGER NOT NULL,
            short_text TEXT,
            time REAL,
            sha256 BLOB UNIQUE,
            emoji TEXT
        );
        CREATE INDEX message_by_author ON message (from_key, id);
        CREATE INDEX message_by_parent ON message (pid);

        CREATE TABLE body (
            message_id INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
            data BLOB NOT NULL
        );

        CREATE TABLE batch (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
            from_address TEXT NOT NULL,
            from_key TEXT NOT NULL,
            time REAL NOT NULL,
            sha256 BLOB UNIQUE
        );
        CREATE INDEX batch_by_message ON batch (message_id);

        CREATE TABLE recipient (
            id INTEGER PRIMARY KEY,
            message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
            batch_id INTEGER REFERENCES batch (id) ON DELETE CASCADE,
            address TEXT NOT NULL,
            key TEXT NOT NULL,
            time_delivered REAL,
            response_code INTEGER,
            time_read REAL
        );
        CREATE INDEX recipient_by_message ON recipient (message_id);
        CREATE INDEX recipient_by_key ON recipient (key, message_id);
        CREATE INDEX recipient_by_batch ON recipient (batch_id);

        CREATE TABLE attachment (
            message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
            filename TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 BLOB NOT NULL,
            file TEXT NOT NULL,
            PRIMARY KEY (message_id, filename)
        ) WITHOUT ROWID;
        """

    /// What came with the second layout. `allowed_cidrs` is a JSON array.
    private static let subAccountTable = """
        CREATE TABLE sub_account (
            owner_key TEXT NOT NULL,
            agent_key TEXT NOT NULL,
            agent TEXT NOT NULL,
            user_key TEXT NOT NULL REFERENCES user (key),
            key_id TEXT NOT NULL UNIQUE,
            allowed_cidrs TEXT NOT NULL,
            key_expires_at REAL NOT NULL,
            PRIMARY KEY (owner_key, agent_key)
        ) WITHOUT ROWID;
        """
}
