/**
 * pi's packages would report the install, look for a newer version, refresh lists of models, update packages and download
 * tools. Under tildone they do none of it, unless you want it (`TILDONE_PI_NETWORK=1`) or set pi's own variables. They are read
 * when pi's packages load, so this comes first. Requests to the model that you chose are not affected.
 */
export function stayOffline(env: NodeJS.ProcessEnv): void {
  if (/^(1|true|yes|on)$/i.test(env.TILDONE_PI_NETWORK ?? "")) return;
  env.PI_OFFLINE ??= "1";
  env.PI_SKIP_VERSION_CHECK ??= "1";
  env.PI_TELEMETRY ??= "0";
}
