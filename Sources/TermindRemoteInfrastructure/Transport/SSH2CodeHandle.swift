internal import CSSH2

/// The kinds of algorithm that a key exchange agrees on.
enum SSH2Method: CaseIterable {
  case keyExchange
  case hostKey
  case cipherToServer
  case cipherToClient
  case macToServer
  case macToClient

  var number: Int32 {
    switch self {
    case .keyExchange: LIBSSH2_METHOD_KEX
    case .hostKey: LIBSSH2_METHOD_HOSTKEY
    case .cipherToServer: LIBSSH2_METHOD_CRYPT_CS
    case .cipherToClient: LIBSSH2_METHOD_CRYPT_SC
    case .macToServer: LIBSSH2_METHOD_MAC_CS
    case .macToClient: LIBSSH2_METHOD_MAC_SC
    }
  }
}

/// What an error number of libssh2 means to a connection.
enum SSH2Trouble {
  /// The server refused an authentication request; also used when the connection broke under it.
  case authenticationRefused
  /// The server refused to open a channel.
  case channelRefused
  /// The server refused a request on a channel, or closed the channel under it.
  case requestRefused
  /// The peer sent a packet that the library does not take.
  case tooLarge
  /// The peer is gone.
  case disconnected
  /// Anything else.
  case other

  init(code: Int32) {
    switch code {
    case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED,
      LIBSSH2_ERROR_PASSWORD_EXPIRED, LIBSSH2_ERROR_METHOD_NONE, LIBSSH2_ERROR_SOCKET_NONE:
      self = .authenticationRefused
    case LIBSSH2_ERROR_CHANNEL_FAILURE: self = .channelRefused
    case LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED, LIBSSH2_ERROR_CHANNEL_CLOSED,
      LIBSSH2_ERROR_REQUEST_DENIED:
      self = .requestRefused
    case LIBSSH2_ERROR_OUT_OF_BOUNDARY: self = .tooLarge
    case LIBSSH2_ERROR_SOCKET_DISCONNECT, LIBSSH2_ERROR_SOCKET_RECV: self = .disconnected
    default: self = .other
    }
  }
}
