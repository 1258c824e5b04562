import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificates extends Disposable {
  /** Of the authority that signed them, as a file. */
  readonly root: string;
  /** Of an authority that signed nothing here. */
  readonly otherRoot: string;
  readonly servers: readonly { readonly certificate: string; readonly key: string }[];
}

/** An authority made for one test, and a certificate for each server of these names. */
export function makeCertificates(...names: readonly string[]): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "tildone-certificates-"));
  const at = (file: string): string => join(folder, file);
  for (const name of ["ca", "other"])
    openssl(["req", "-x509", "-subj", `/CN=${name}`, "-out", at(`${name}.pem`)], name);
  return {
    root: at("ca.pem"),
    otherRoot: at("other.pem"),
    servers: names.map(sign),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };

  function sign(name: string) {
    openssl(["req", "-subj", `/CN=${name}`, "-out", at(`${name}.csr`)], name);
    writeFileSync(at("names"), `subjectAltName=DNS:${name}\n`);
    const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
    const made = ["-in", at(`${name}.csr`), "-extfile", at("names"), "-days", "2", "-out", at(`${name}.pem`)];
    openssl(["x509", "-req", ...authority, ...made]);
    return { certificate: readFileSync(at(`${name}.pem`), "utf8"), key: readFileSync(at(`${name}.key`), "utf8") };
  }

  function openssl(args: readonly string[], newKey?: string): void {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-batch", "-keyout"];
    const all = newKey === undefined ? args : [...args, ...key, at(`${newKey}.key`)];
    execFileSync("openssl", all, { stdio: ["ignore", "ignore", "pipe"] });
  }
}
