/** A project of two functions that are not written yet, each with a test, and a script that runs all tests. */
export const PROJECT: Readonly<Record<string, string>> = {
  "src/sum.sh": "sum() { echo 0; }\n",
  "src/product.sh": "product() { echo 0; }\n",
  "test/sum.test.sh": '. ./src/sum.sh\n[ "$(sum 2 3)" = 5 ]\n',
  "test/product.test.sh": '. ./src/product.sh\n[ "$(product 2 3)" = 6 ]\n',
  "check.sh": "for t in test/*.test.sh; do sh $t || { echo $t failed; exit 1; }; done\n",
  ".gitignore": "cache/\n",
};

export const CHECK = "sh check.sh";

export const SUM = "sum() { echo $(($1 + $2)); }\n";
export const PRODUCT = "product() { echo $(($1 * $2)); }\n";
