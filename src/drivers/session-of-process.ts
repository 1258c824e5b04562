/** What a server is called before a session is known: by the host that started it. */
export const sessionOfProcess = (host: number): string => `of process ${host}`;
