/** Levels whose keys only a key log has. */
export type KeyedLevel = '0-rtt' | 'handshake' | '1-rtt';

/** The keys a packet is sealed with, RFC 9001 section 2.1. */
export type EncryptionLevel = 'initial' | KeyedLevel;
