/// The names of the web API's JSON fields, each in this one place, for both ends.
public enum Field {
    public static let accessToken = "access_token"
    public static let added = "added"
    public static let address = "addr"
    public static let addTo = "add_to"
    public static let addToFrom = "add_to_from"
    public static let agent = "agent"
    public static let allowedCIDRs = "allowed_cidrs"
    public static let apiKey = "api_key"
    public static let attachments = "attachments"
    public static let batchId = "batch_id"
    public static let body = "body"
    public static let cacheable = "cacheable"
    public static let cacheKey = "cache_key"
    public static let code = "code"
    public static let complete = "complete"
    public static let data = "data"
    public static let deflate = "deflate"
    public static let displayName = "display_name"
    public static let download = "download"
    public static let emoji = "emoji"
    public static let error = "error"
    public static let expiresAt = "expires_at"
    public static let expiresIn = "expires_in"
    public static let filename = "filename"
    public static let from = "from"
    public static let grantType = "grant_type"
    public static let hasAddTo = "has_add_to"
    public static let hasPid = "has_pid"
    public static let id = "id"
    public static let important = "important"
    public static let keyExpiresAt = "key_expires_at"
    public static let keyId = "key_id"
    public static let maximumSubAccounts = "max_sub_accounts"
    public static let messages = "messages"
    public static let messageSHA256 = "message_sha256"
    public static let noReply = "no_reply"
    public static let parentSHA256 = "psha256"
    public static let pid = "pid"
    public static let position = "position"
    public static let reaction = "reaction"
    public static let reactions = "reactions"
    public static let read = "read"
    public static let responseCode = "response_code"
    public static let rootId = "root_id"
    public static let sha256 = "sha256"
    public static let shortText = "short_text"
    public static let size = "size"
    public static let subAccounts = "sub_accounts"
    public static let terminal = "terminal"
    public static let text = "text"
    public static let time = "time"
    public static let timeDelivered = "time_delivered"
    public static let timeRead = "time_read"
    public static let to = "to"
    public static let toDelivery = "to_delivery"
    public static let tokenType = "token_type"
    public static let topic = "topic"
    public static let triggerId = "trigger_id"
    public static let type = "type"
    public static let version = "version"
    public static let visible = "visible"
}

/// The `type` of an event frame (web API, section 7).
public enum EventType {
    public static let newMessage = "new_msg"
    public static let delivered = "delivered"
    public static let recipientsAdded = "recipients_added"
    public static let reaction = "reaction"
}

/// The `grant_type` of a grant (web API, section 4).
public enum GrantType {
    public static let derivedSubAccount = "derived_sub_account"
    public static let delegatedIdentity = "delegated_identity"
}

/// The names of the web API's own headers.
public enum HeaderName {
    /// Whom an owner acts as (section 3).
    public static let actAs = "X-FMSG-Act-As"
}
