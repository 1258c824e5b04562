/**
 * What a provider said, out of the wrapping in which Gemini CLI shows it: `[API Error: {"error":{"code":400,"message":"…"}}]`. The status
 * comes first, since it says what kind of failure it is. Anything else stays as it is.
 */
export function plainApiError(text: string): string {
  const [, code] = /"code":\s*(\d{3})/.exec(text) ?? [];
  const [, message] = /"message":\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  const [, status] = /"status":\s*"([A-Z_]+)"/.exec(text) ?? [];
  if (message === undefined) return text.replace(/^\[API Error: ([\s\S]*)\]$/, "$1");
  const [, delay] = /"retryDelay":\s*"([\d.]+s)"/.exec(text) ?? [];
  const plain = [code, unquoted(message), status && `(${status})`, delay && `Retry in ${delay}.`].filter(Boolean);
  return plain.join(" ");
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
