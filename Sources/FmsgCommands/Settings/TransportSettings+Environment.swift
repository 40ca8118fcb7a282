import CommandLineTool
import FmsgCore

extension TransportSettings {
    /// The usual proxy and CA variables, in either case, as the transport is handed them. A host
    /// on this machine is reached directly: by a proxy its key would leave the machine in clear.
    init(_ environment: Environment, for host: HostURL) {
        let anyProxy = environment.first(of: "all_proxy", "ALL_PROXY")
        self.init(
            httpProxy: environment.first(of: "http_proxy", "HTTP_PROXY") ?? anyProxy,
            httpsProxy: environment.first(of: "https_proxy", "HTTPS_PROXY") ?? anyProxy,
            noProxy: environment.first(of: "no_proxy", "NO_PROXY"),
            certificateFile: environment["SSL_CERT_FILE"],
            certificateDirectory: environment["SSL_CERT_DIR"],
            userAgent: "fmsg/\(FmsgVersion.number)")
        if host.isLoopback {
            httpProxy = nil
            httpsProxy = nil
        }
    }
}
