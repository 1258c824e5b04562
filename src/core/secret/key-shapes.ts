import { COMMAND_SHAPES, PIPED_TO_SUDO } from "./command-shapes.ts";

/** Keys that tell by their beginning whose they are. One class and one repetition each: linear on any text. */
const PREFIXED: readonly RegExp[] = [
  // Model providers.
  /\b(?:sk|pk|rk)-(?:[a-z]{2,12}-)?(?:[a-z0-9]{2,6}-)?[A-Za-z0-9_-]{16,}/g,
  /\bxai-[A-Za-z0-9]{20,}/g,
  /\bgsk_[A-Za-z0-9]{20,}/g,
  /\bpplx-[A-Za-z0-9]{20,}/g,
  /\br8_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bAIza[\w-]{30,}/g,
  // Forges and registries.
  /\bgh[opsur]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bgl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas)-[\w-]{16,}/g,
  /\bglsa_[A-Za-z0-9_]{20,}/g,
  /\bATATT3[\w-]{20,}=?[A-F0-9]*/g,
  /\bATBB[A-Za-z0-9]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[\w-]{30,}/g,
  /\brubygems_[a-f0-9]{40,}/g,
  /\bdckr_pat_[\w-]{20,}/g,
  // Clouds.
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bLTAI[A-Za-z0-9]{16,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\b1\/\/0[\w-]{30,}/g,
  /\bGOCSPX-[\w-]{20,}/g,
  /\b[\w~.]{3}8Q~[\w~.-]{31,34}/g,
  /\bdop_v1_[a-f0-9]{40,}/g,
  /\b(?:fo1|fm2)_[\w-]{20,}/g,
  /\bHRKU-[\w-]{30,}/g,
  /\bdapi[a-f0-9]{32}\b/g,
  /\bhv[sbr]\.[\w-]{20,}/g,
  /\bs\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}\b/g,
  /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{40,}/g,
  // Services.
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\bsq0(?:atp|csp)-[\w-]{20,}/g,
  /\bshp(?:at|ca|pa|ss)_[a-f0-9]{24,}/g,
  /\bxox[abceoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bkey-[a-f0-9]{32}\b/g,
  /\b[a-f0-9]{32}-us\d{1,2}\b/g,
  /\bSK[a-f0-9]{32}\b/g,
  /\blin_api_[A-Za-z0-9]{20,}/g,
  /\b(?:ntn|secret)_[A-Za-z0-9]{40,}/g,
  /\bfigd_[\w-]{20,}/g,
  /\bPMAK-[a-f0-9-]{40,}/g,
  /\bsntry[su]_[\w=-]{30,}/g,
  /\bdp\.(?:pt|st|ct|sa)\.(?:[\w-]{1,30}\.)?[\w-]{30,}/g,
  /\bpscale_(?:tkn|oauth|pw)_[\w-]{20,}/g,
  /\bsbp_[a-f0-9]{30,}/g,
  /\bnfp_[A-Za-z0-9]{30,}/g,
  /\bNRAK-[A-Z0-9]{20,}/g,
  /(?<!\d)\d{8,10}:AA[\w-]{30,}/g,
  /\b[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g,
  /\b[ps]k\.eyJ[\w-]{20,}\.[\w-]{16,}/g,
  /\btskey-[a-z]{2,12}-[A-Za-z0-9-]{20,}/g,
  /\bpul-[a-f0-9]{40}\b/g,
  /\bEAAA[\w-]{56,}/g,
];

/** Each with what stands in its place. */
export const KEY_SHAPES: readonly (readonly [RegExp, string])[] = [
  // A key that was cut at its beginning still ends in its last line.
  [
    /-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----[^-]*(?:-----END [A-Z0-9 ]{0,40}-----)?/g,
    "[redacted private key]",
  ],
  [/^[A-Za-z0-9+/=:.,\s]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/, "[redacted private key]"],
  ...PREFIXED.map((shape) => [shape, "[redacted key]"] as const),
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g, "[redacted token]"],
  [/(hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,}/g, "$1[redacted]"],
  [/(discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{20,}/g, "$1[redacted]"],
  [/\b(bearer|basic|token|digest|apikey)(\s+)[\w.~+/=-]{16,}/gi, "$1$2[redacted]"],
  [/\b((?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?)(?=[\w.-]{1,80}=)[^\n"']{4,4000}/gi, "$1[redacted]"],
  [/(:\/\/[^\s:/@"'<>${}]{0,100}:)[^\s/@"'<>${}]{3,200}@/g, "$1[redacted]@"],
  [/(:\/\/)[A-Za-z0-9_-]{20,200}(?=@)/g, "$1[redacted]"],
  // A signature in an address, or a key in the settings of a connection.
  [
    /([?&;](?:sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|awsaccesskeyid|access_token|refresh_token|id_token|token|api_?key|key|code|client_secret|password|auth)=)[\w%.~+/=-]{12,}/gi,
    "$1[redacted]",
  ],
  [/\b((?:account|shared ?access|primary|secondary)key=)[A-Za-z0-9+/=]{16,}/gi, "$1[redacted]"],
  [/\b((?:pwd|password)=)[^;\s"']{4,200}(?=;)/gi, "$1[redacted]"],
  [
    /(<(\w{0,40}(?:password|passwd|passphrase|secret|token|apikey)\w{0,20})>)[^\s<>]{4,200}(?=<\/\2>)/gi,
    "$1[redacted]",
  ],
  // "The password is hunter22": in a sentence only what holds a digit.
  [
    /\b((?:password|passphrase|passcode|api key|token|secret)\s(?:is|was)\s{0,2}:?\s{0,2}["'`]?)(?=[^\s\d]{0,100}\d)(?=[^\sA-Za-z]{0,100}[A-Za-z])[^\s"'`,;()]{6,200}/gi,
    "$1[redacted]",
  ],
  ...COMMAND_SHAPES.map((shape) => [shape, "$1[redacted]"] as const),
  [PIPED_TO_SUDO, "$1[redacted]$2"],
  [/(:_(?:authToken|auth|password)\s{0,3}=\s{0,3})[^\s"']{8,}/g, "$1[redacted]"],
];
