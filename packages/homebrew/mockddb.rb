class Mockddb < Formula
  desc "Offline server for programs that use Amazon DynamoDB"
  homepage "https://github.com/mockddb/mockddb"
  version "0.0.0"
  license "MIT"

  # PLATFORMS

  def install
    bin.install Dir["bin/*"]
    man1.install "share/man/man1/mockddb.1"
    bash_completion.install "share/bash-completion/completions/mockddb"
    fish_completion.install "share/fish/vendor_completions.d/mockddb.fish"
    zsh_completion.install "share/zsh/site-functions/_mockddb"
    pkgshare.install "share/mockddb/fixtures"
  end

  service do
    run [opt_bin/"mockddb", "--db", var/"mockddb.db"]
    keep_alive true
    log_path var/"log/mockddb.log"
    error_log_path var/"log/mockddb.log"
  end

  test do
    statement = "aws dynamodb list-tables --output text"
    assert_match "ShopifyEntitiesTable", shell_output("#{bin}/mockddb try --fixtures ecommerce '#{statement}'")
  end
end
