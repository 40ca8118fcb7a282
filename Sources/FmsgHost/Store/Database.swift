import CSQLite

/// An error of the database.
struct DatabaseError: Error, CustomStringConvertible {
    let code: Int32
    let description: String
}

/// A value that goes into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func optional(_ value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
    static func optional(_ value: Double?) -> SQLValue { value.map(SQLValue.real) ?? .null }
    static func optional(_ value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
    static func optional(_ value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }
    static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }

    /// Ids as one JSON text, for `IN (SELECT value FROM json_each(?))`.
    static func ids(_ ids: [Int64]) -> SQLValue {
        .text("[" + ids.map { String($0) }.joined(separator: ",") + "]")
    }
}

/// The row that a query stands on; good only inside the closure that it was handed to.
struct SQLRow {
    fileprivate let statement: OpaquePointer?

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func bool(_ column: Int32) -> Bool { integer(column) != 0 }
    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, column))
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
    func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}

/// One connection to an SQLite database, for one thread at a time.
///
/// It is in WAL mode with full sync: what a transaction wrote is on disk when it returns.
final class Database {
    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened, code == SQLITE_OK else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, description: message)
        }
        connection = opened
        sqlite3_busy_timeout(connection, 10_000)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA foreign_keys = ON")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// The id of the row that was inserted last.
    var lastInsertedId: Int64 { sqlite3_last_insert_rowid(connection) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    /// Runs a statement for its effect.
    func run(_ sql: String, _ values: SQLValue...) throws(DatabaseError) {
        _ = try step(sql, values) { _ in false }
    }

    /// Every row of a query, mapped.
    func rows<Element>(
        _ sql: String, _ values: SQLValue..., map: (SQLRow) -> Element
    ) throws(DatabaseError) -> [Element] {
        var elements: [Element] = []
        try step(sql, values) { row in
            elements.append(map(row))
            return true
        }
        return elements
    }

    /// The first row of a query, mapped, if there is one.
    func first<Element>(
        _ sql: String, _ values: SQLValue..., map: (SQLRow) -> Element
    ) throws(DatabaseError) -> Element? {
        var element: Element?
        try step(sql, values) { row in
            element = map(row)
            return false
        }
        return element
    }

    /// Runs statements without values, one after another.
    func runScript(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs `body` as one transaction: committed when it returns, undone when it throws.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body(self)
            try run("COMMIT")
            return result
        } catch {
            if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private func error(_ code: Int32) -> DatabaseError {
        DatabaseError(code: code, description: String(cString: sqlite3_errmsg(connection)))
    }

    /// Hands each row to `visit` until it returns false.
    private func step(
        _ sql: String, _ values: [SQLValue], visit: (SQLRow) -> Bool
    ) throws(DatabaseError) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if !visit(SQLRow(statement: statement)) { return }
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
        guard let prepared else { throw error(code) }
        statements[sql] = prepared
        return prepared
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    fmsg_sqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count))
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                // A null pointer would bind NULL instead of an empty blob.
                guard let start = $0.baseAddress else {
                    return sqlite3_bind_zeroblob(statement, index, 0)
                }
                return fmsg_sqlite_bind_blob(statement, index, start, UInt64($0.count))
            }
        }
    }
}
